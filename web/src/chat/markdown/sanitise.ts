// HTML made from a model's markdown comes in, a fragment that can neither act, load nor imitate the page goes out.
import DOMPurify, { type Config } from "dompurify";
import { linkAddress, pictureAddress } from "./address-rules.ts";
import { purifyPolicy } from "./trusted-policy.ts";

const words =
  "a abbr b blockquote br code dd del details div dl dt em h1 h2 h3 h4 h5 h6 hr i img ins kbd li mark ol p pre q s samp small span strong sub summary sup table tbody td tfoot th thead tr u ul var";

const config: Config = {
  ALLOWED_TAGS: words.split(" "),
  // no class, id, name or style: nothing that could look like, or be mistaken for, a part of the page
  ALLOWED_ATTR: ["href", "title", "src", "alt", "start", "align", "colspan", "rowspan", "open", "dir", "lang"],
  // these hold words and numbers, and would else be measured by the rule for addresses
  ADD_URI_SAFE_ATTR: ["start", "align", "colspan", "rowspan", "dir", "lang"],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|blob:|data:image\/|\/api\/attachments\/)/i,
  // the nodes are used as they were examined; HTML that is written out and read again could turn into something else
  RETURN_DOM_FRAGMENT: true,
  TRUSTED_TYPES_POLICY: purifyPolicy as unknown as NonNullable<Config["TRUSTED_TYPES_POLICY"]>,
};

const purify = preparePurify();

/** The second wall: what comes in holds only plain tags already (markup-rules.ts). */
export function sanitise(html: string): DocumentFragment {
  return purify.sanitize(html) as unknown as DocumentFragment;
}

function preparePurify(): typeof DOMPurify {
  DOMPurify.setConfig(config);
  DOMPurify.addHook("afterSanitizeAttributes", (node) => {
    if (node instanceof HTMLAnchorElement) examineLink(node);
    if (node instanceof HTMLImageElement) examinePicture(node);
  });
  return DOMPurify;
}

function examineLink(link: HTMLAnchorElement): void {
  const address = linkAddress(link.getAttribute("href") ?? "");
  if (address === undefined) {
    link.removeAttribute("href");
    return;
  }
  link.setAttribute("href", address);
  link.setAttribute("target", "_blank");
  link.setAttribute("rel", "noopener noreferrer");
}

function examinePicture(picture: HTMLImageElement): void {
  if (pictureAddress(picture.getAttribute("src") ?? "") === undefined) picture.removeAttribute("src");
  picture.loading = "lazy";
  picture.decoding = "async";
}
