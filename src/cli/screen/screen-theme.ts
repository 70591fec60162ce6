import type { MarkdownTheme, SelectListTheme } from "@earendil-works/pi-tui";
import type { Palette } from "../palette.ts";

export function markdownTheme(paint: Palette): MarkdownTheme {
  return {
    heading: (text) => paint.strong(text),
    link: paint.underlined,
    linkUrl: paint.faint,
    code: paint.accent,
    codeBlock: (text) => text,
    codeBlockBorder: paint.faint,
    quote: paint.slanted,
    quoteBorder: paint.faint,
    hr: paint.faint,
    listBullet: paint.accent,
    bold: paint.strong,
    italic: paint.slanted,
    strikethrough: paint.struck,
    underline: paint.underlined,
  };
}

export function listTheme(paint: Palette): SelectListTheme {
  return {
    selectedPrefix: paint.accent,
    selectedText: paint.accent,
    description: paint.faint,
    scrollInfo: paint.faint,
    noMatch: paint.faint,
  };
}
