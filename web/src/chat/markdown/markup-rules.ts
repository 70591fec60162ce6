// How markdown becomes HTML here: HTML in a model's text is shown as the text it is, but for a few bare tags.
import type { RendererObject, Tokens } from "marked";
import { linkAddress, pictureAddress } from "./address-rules.ts";

const bareTag =
  "<\\/?(?:b|blockquote|br|code|dd|del|details|div|dl|dt|em|h[1-6]|hr|i|ins|kbd|li|mark|ol|p|pre|q|s|small|strong|sub|summary|sup|table|tbody|td|th|thead|tr|u|ul)\\s*\\/?>";
const entity = "&(?:#[0-9]{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,31});";
const kept = new RegExp(`${bareTag}|${entity}|[<>&"']`, "gi");
const comments = /<!--[\s\S]*?-->/g;
const escapes: Readonly<Record<string, string>> = {
  "<": "&lt;",
  ">": "&gt;",
  "&": "&amp;",
  '"': "&quot;",
  "'": "&#39;",
};

export const markupRules: RendererObject = {
  html: ({ text }: Tokens.HTML | Tokens.Tag) =>
    text.replace(comments, "").replace(kept, (found) => escapes[found] ?? found),
  // no form controls in a model's text
  checkbox: ({ checked }: Tokens.Checkbox) => (checked ? "☑ " : "☐ "),
  link({ href, tokens, title }: Tokens.Link) {
    const words = this.parser.parseInline(tokens);
    const address = linkAddress(href);
    return address === undefined ? words : `<a href="${escapeText(address)}"${titled(title)}>${words}</a>`;
  },
  // the person sees what a remote picture would have told to whom, and may go there by choice
  image({ href, text, title }: Tokens.Image) {
    const own = pictureAddress(href);
    if (own !== undefined) return `<img src="${escapeText(own)}" alt="${escapeText(text)}"${titled(title)}>`;
    const address = linkAddress(href);
    const shown =
      address === undefined ? escapeText(href) : `<a href="${escapeText(address)}">${escapeText(address)}</a>`;
    return `Picture not loaded${text === "" ? "" : ` (${escapeText(text)})`}: ${shown}`;
  },
};

function titled(title: string | null | undefined): string {
  return title ? ` title="${escapeText(title)}"` : "";
}

function escapeText(text: string): string {
  return text.replace(/[<>&"']/g, (found) => escapes[found] ?? found);
}
