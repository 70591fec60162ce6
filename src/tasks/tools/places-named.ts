const address = /https?:\/\/[^\s<>"'`]+/gi;
const mail = /[\p{L}\p{N}._%+-]{1,64}@(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,24}/gu;
const host = /(?<![\p{L}\p{N}@./_-])(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,24}(?=[\s/:,;!?)]|\.?$|\.\s)/gu;
const closing = /[.,;:!?)\]}*_»”’]+$/u;
const number = /(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])/g;
// words with a dot in them that can be no host: none of these is a top-level domain, as md, sh and py are
const fileName =
  /\.(?:txt|json|csv|ts|js|log|pdf|png|jpg|html|xml|yaml|yml)$|^(?:AGENTS|SOUL|IDENTITY|USER|TOOLS|MEMORY|HEARTBEAT)\.md$/i;

/** Addresses, hosts and people that words name: whoever reads them later would take them for the owner's own. */
export function placesNamedIn(text: string): readonly string[] {
  const words = (pattern: RegExp) => [...text.matchAll(pattern)].map(([word]) => word.replace(closing, ""));
  const hosts = words(host).filter((word) => !fileName.test(word));
  return [...new Set([...words(address), ...words(mail), ...hosts, ...words(number)].map(siteIfPlain))];
}

const longestPlainPath = 200;

/** A page whose address can carry nothing is as good as its site. */
function siteIfPlain(word: string): string {
  const url = URL.parse(word);
  const isPlain = url?.host && url.search === "" && url.hash === "" && url.pathname.length <= longestPlainPath;
  return isPlain ? url.origin : word;
}
