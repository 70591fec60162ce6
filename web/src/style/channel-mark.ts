import { html, nothing, type TemplateResult } from "lit";
import { type ChannelName, channelOf, channelTitles } from "../words.ts";
import { type IconName, icon } from "./icons.ts";

/** Signs of their own: what a message looks like there, and nobody's trademark. */
export const channelIcons: Readonly<Record<ChannelName, IconName>> = {
  telegram: "plane",
  slack: "hash",
  discord: "bubble",
  email: "envelope",
  ntfy: "bell",
};

/** Where a conversation comes from, if not from here; spoken too. */
export function channelMark(sessionKey: string): TemplateResult | typeof nothing {
  const channel = channelOf(sessionKey);
  if (channel === undefined) return nothing;
  const title = channelTitles[channel];
  return html`<span class="mark" title=${title}>${icon(channelIcons[channel], 16)}<span class="visually-hidden">${title}: </span></span>`;
}
