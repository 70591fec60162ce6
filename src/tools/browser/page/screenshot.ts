import type { Page } from "playwright-core";
import { z } from "zod";
import type { NewAttachment } from "../../../contract/attachment.ts";
import type { Refusal } from "../../paths/refusal.ts";
import type { BrowserLimits } from "../browser-limits.ts";
import { within } from "../within.ts";

const measureMs = 2_000;
const Height = z.number().positive();

/** A picture of what is seen, or of the whole page as far as the limit goes. */
export async function takeScreenshot(
  limits: BrowserLimits,
  page: Page,
  given: { full: boolean; signal: AbortSignal },
): Promise<{ attachment: NewAttachment; isCut: boolean } | Refusal> {
  const { width, height } = limits.viewport;
  const whole = given.full ? await heightOf(page) : height;
  const clip = { x: 0, y: 0, width, height: Math.min(whole, limits.screenshotHeight) };
  const data = await page.screenshot({
    type: "png",
    timeout: limits.actionMs,
    animations: "disabled",
    ...(given.full && { fullPage: true, clip }),
  });
  if (data.length > limits.screenshotBytes) {
    return { refused: `The picture has ${data.length} bytes, and ${limits.screenshotBytes} are allowed.` };
  }
  return {
    attachment: { mediaType: "image/png", name: "screenshot.png", data },
    isCut: given.full && whole > limits.screenshotHeight,
  };
}

async function heightOf(page: Page): Promise<number> {
  const asked = page.evaluate("document.documentElement.scrollHeight").catch(() => undefined);
  const height = Height.safeParse(await within(measureMs, asked));
  return height.success ? Math.ceil(height.data) : Number.POSITIVE_INFINITY;
}
