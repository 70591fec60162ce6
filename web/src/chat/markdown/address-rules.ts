// Which addresses in a model's text may become links or pictures. Everything else stays plain text.

const linkProtocols = new Set(["http:", "https:", "mailto:"]);
const attachment = /^\/api\/attachments\/[0-9a-f]{64}$/;
const inlinePicture = /^data:image\/(?:png|jpeg|gif|webp|avif);base64,[A-Za-z0-9+/=\s]+$/;

/** The address a link may lead to, as the browser understands it; undefined for everything that is no plain web or mail address. */
export function linkAddress(written: string): string | undefined {
  const url = URL.parse(written.trim());
  if (!url || !linkProtocols.has(url.protocol)) return undefined;
  // a name before the host makes an address look like another one
  return url.username === "" && url.password === "" ? url.href : undefined;
}

/** Pictures come from Steward itself or from the text itself: a remote one would tell its host whatever its address holds. */
export function pictureAddress(written: string): string | undefined {
  const address = written.trim();
  if (attachment.test(address) || inlinePicture.test(address)) return address;
  return address.startsWith("blob:") ? address : undefined;
}
