// Whether a mail comes from whom it names: only the owner's own mail server can tell, in the line it has written itself.
import { domainToASCII } from "node:url";
import { type AuthenticationResults, readAuthenticationResults } from "./authentication-results.ts";

/** Lower-cased name and unfolded value, in the order in which they stand. */
export type MailHeader = { key: string; value: string };
export type Verdict = { isGenuine: true } | { isGenuine: false; reason: string };

/** `from`: the address as the mail was read; `authServer`: the name by which the owner's server signs. */
export function judgeSender(headers: readonly MailHeader[], from: string, authServer: string): Verdict {
  if (authServer === "") return no("channels.email.authServer is not set");
  const domain = domainOf(from);
  const names = headers.filter((header) => header.key === "from");
  if (names.length !== 1 || domain === undefined) return no("it does not name one sender");
  // what only a decoder sees may look different to the server that checked it
  if (!names[0]?.value.toLowerCase().includes(from.toLowerCase())) return no("its sender is written in a hidden way");
  const found = ownResults(headers, authServer.toLowerCase());
  if (!found) return no(`no Authentication-Results of ${authServer} stand where only that server can write`);
  return vouchesFor(found, domain) ? { isGenuine: true } : no(`${authServer} does not vouch for its sender`);
}

/**
 * Headers are added on top. Below the line with which our server took the mail in there may be one of its own, and below the next
 * hop anybody can have written anything; of several lines of ours, the first is the last one written.
 */
function ownResults(headers: readonly MailHeader[], authServer: string): AuthenticationResults | undefined {
  let isTakenIn = false;
  for (const { key, value } of headers) {
    if (key === "received") {
      const hop: Hop = isTakenIn ? "foreign" : readHop(value, authServer);
      if (hop === "foreign") return undefined;
      isTakenIn = hop === "taken in";
    }
    if (key !== "authentication-results") continue;
    const results = readAuthenticationResults(value);
    if (results?.server === authServer) return results;
    // a broken line of ours must not make way for a forged one below it
    if (!results && value.toLowerCase().includes(authServer)) return undefined;
  }
  return undefined;
}

/**
 * inside: a step within the server or into the mailbox, above the hop by which it was taken in. foreign: what stands below was
 * written by somebody else, who may also be one of the server's own users.
 */
type Hop = "inside" | "taken in" | "foreign";

function readHop(received: string, authServer: string): Hop {
  const words = withoutComments(received.toLowerCase());
  const protocols = [...words.matchAll(/\swith\s+([^\s;]+)/g)].map(([, protocol = ""]) => protocol);
  // whoever has signed in there, or sits at the machine, is not checked
  const isByUser = protocols.some((protocol) => /smtps?a$|^(asmtp|local|http)/.test(protocol));
  if (/[()]/.test(words) || isByUser || received.toLowerCase().includes("authenticated")) return "foreign";
  const isFromElsewhere = /(^|\s)from\s/.test(words);
  const isInside = protocols.some((protocol) => (isFromElsewhere ? /^lmtp/ : /^e?smtps?$|^lmtp/).test(protocol));
  if (isInside) return "inside";
  const by = /\sby\s+([^\s;]+)/.exec(words)?.[1]?.replace(/\.$/, "");
  return isFromElsewhere && by !== undefined && isOwnHost(by, authServer) ? "taken in" : "foreign";
}

/** They stand in each other, a few deep; what is left of a bracket then says that they are not well formed. */
function withoutComments(value: string): string {
  let words = value;
  for (let depth = 0; depth < 5; depth++) words = words.replace(/\([^()]*\)/g, " ");
  return words;
}

/** The server itself, one below it, or one beside it. */
function isOwnHost(host: string, authServer: string): boolean {
  if (isSameOrBelow(host, authServer)) return true;
  const [, ...parent] = authServer.split(".");
  const isBeside = host.split(".").length > parent.length && isSameOrBelow(host, parent.join("."));
  return isBeside && parent.length >= 2 && !mayBeEverybodys(parent);
}

/** Whether strangers may have names of their own right below, as below co.uk or gouv.fr. */
function mayBeEverybodys([name = "", country = "", ...more]: readonly string[]): boolean {
  return more.length === 0 && country.length === 2 && name.length <= 4;
}

function vouchesFor({ results }: AuthenticationResults, domain: string): boolean {
  const dmarc = results.filter(({ method }) => method === "dmarc");
  if (dmarc.some(({ result }) => result === "fail")) return false;
  if (dmarc.some((one) => one.result === "pass" && only(one.properties, "header.from") === domain)) return true;
  return results.some((one) => {
    const signer = one.method === "dkim" && one.result === "pass" ? only(one.properties, "header.d") : undefined;
    // a domain of one label has nobody who could speak for all below it
    return signer?.includes(".") === true && isSameOrBelow(domain, signer);
  });
}

function only(properties: readonly { name: string; value: string }[], name: string): string | undefined {
  const values = properties.filter((property) => property.name === name);
  return values.length === 1 && values[0] ? canonical(values[0].value) : undefined;
}

function domainOf(address: string): string | undefined {
  const [name, domain, ...more] = address.split("@");
  return name && domain && more.length === 0 ? canonical(domain) : undefined;
}

function canonical(domain: string): string | undefined {
  return domainToASCII(domain.replace(/\.$/, "")).toLowerCase() || undefined;
}

function isSameOrBelow(domain: string, parent: string): boolean {
  return domain === parent || domain.endsWith(`.${parent}`);
}

function no(reason: string): Verdict {
  return { isGenuine: false, reason };
}
