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
 * Headers are added on top. Below the first Received line that another server wrote, anybody can have written anything; and of
 * several lines of ours, the first is the last one written.
 */
function ownResults(headers: readonly MailHeader[], authServer: string): AuthenticationResults | undefined {
  for (const { key, value } of headers) {
    if (key === "received" && !isOwnHop(value, authServer)) return undefined;
    if (key !== "authentication-results") continue;
    const results = readAuthenticationResults(value);
    if (results?.server === authServer) return results;
    // a broken line of ours must not make way for a forged one below it
    if (!results && value.toLowerCase().includes(authServer)) return undefined;
  }
  return undefined;
}

/** Written by the server itself, by one beside it, or on the way into the mailbox. */
function isOwnHop(received: string, authServer: string): boolean {
  const words = received.replace(/\([^()]*\)/g, " ").toLowerCase();
  if (!/(^|\s)from\s/.test(words) || /\swith\s+lmtp/.test(words)) return true;
  const by = /\sby\s+([^\s;]+)/.exec(words)?.[1]?.replace(/\.$/, "");
  if (by === undefined) return false;
  const [, ...parent] = authServer.split(".");
  return isSameOrBelow(by, authServer) || (parent.length >= 2 && isSameOrBelow(by, parent.join(".")));
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
