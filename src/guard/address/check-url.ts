import { judgeAddress } from "./globally-reachable.ts";

export type Rule = "text" | "scheme" | "user info" | "port" | "name" | "address" | "redirect" | "header";

export type Refusal = { kind: "refused"; rule: Rule; reason: string; url: string };

/** Where a URL leads: a name that must still be looked up, or an address that has been judged. */
export type Destination = { kind: "name"; name: string } | { kind: "address"; address: string };

export type AcceptedUrl = { kind: "accepted"; url: URL; port: number; destination: Destination };

/** An exception for addresses that are not public; without it there is none. */
export type AllowAddress = (address: string, port: number) => boolean;

/** Ports of the WHATWG fetch standard's block list: services that could take an HTTP request for their own protocol. */
const badPorts: ReadonlySet<number> = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
  6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

const maxUrlCharacters = 8192;
const maxNameCharacters = 253;
const label = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
const localSuffixes = ["localhost", "local", "internal"];

/** Everything that can be said about a URL before a look-up; `base` is the page that redirected here. */
export function checkUrl(
  text: string,
  options: { base?: URL; allowAddress?: AllowAddress | undefined } = {},
): AcceptedUrl | Refusal {
  const flaw = findTextFlaw(text);
  if (flaw) return refuse("text", flaw, showText(text));
  // the one parse: every decision below, the look-up and the connection use it
  const url = URL.parse(text, options.base);
  if (!url) return refuse("text", "it is not a valid URL", showText(text));
  const shown = showUrl(url);
  if (url.protocol !== "http:" && url.protocol !== "https:")
    return refuse("scheme", `only http and https are fetched, not ${url.protocol.slice(0, -1)}`, shown);
  if (url.username !== "" || url.password !== "" || authorityOf(text).includes("@"))
    return refuse("user info", "a URL may not carry a user name or password", shown);
  const port = portOf(url);
  if (badPorts.has(port)) return refuse("port", `port ${port} belongs to another protocol`, shown);
  const destination = readDestination(url.hostname, port, options.allowAddress);
  if ("rule" in destination) return refuse(destination.rule, destination.reason, shown);
  return { kind: "accepted", url, port, destination };
}

/** Judges an address that a name or a URL stands for, exceptions included. */
export function admitAddress(
  text: string,
  port: number,
  allowAddress: AllowAddress | undefined,
): { admitted: true; address: string } | { admitted: false; reason: string } {
  const judged = judgeAddress(text);
  if (judged.kind === "public") return { admitted: true, address: judged.address };
  if (judged.kind === "special" && allowAddress?.(judged.address, port) === true)
    return { admitted: true, address: judged.address };
  return { admitted: false, reason: judged.reason };
}

export function showUrl(url: URL): string {
  const shown = new URL(url);
  shown.username = "";
  shown.password = "";
  return showText(shown.href);
}

function findTextFlaw(text: string): string | undefined {
  if (text.length > maxUrlCharacters) return `it is longer than ${maxUrlCharacters} characters`;
  if (text !== text.trim()) return "it begins or ends with a blank";
  if (/\p{Cc}/u.test(text)) return "it contains a control character, such as a tab or a line break";
  if (authorityOf(text).includes("\\")) return "it has a backslash before or inside the host";
  return undefined;
}

/** Scheme, slashes and host as written, if the text names a host at all: only ever a reason to refuse. */
function authorityOf(text: string): string {
  return /^(?:[a-z][a-z0-9+.-]*:[/\\]*|[/\\]{2,})[^/?#]*/i.exec(text)?.[0] ?? "";
}

function readDestination(
  hostname: string,
  port: number,
  allowAddress: AllowAddress | undefined,
): Destination | { rule: Rule; reason: string } {
  const literal = hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
  // the URL parser has turned every spelling of an IPv4 address into four decimal numbers
  if (hostname.startsWith("[") || /^[\d.]+$/.test(hostname)) {
    const admission = admitAddress(literal, port, allowAddress);
    return admission.admitted
      ? { kind: "address", address: admission.address }
      : { rule: "address", reason: admission.reason };
  }
  const name = hostname.endsWith(".") ? hostname.slice(0, -1) : hostname;
  const flaw = findNameFlaw(name);
  return flaw ? { rule: "name", reason: flaw } : { kind: "name", name };
}

function findNameFlaw(name: string): string | undefined {
  const labels = name.split(".");
  if (name.length > maxNameCharacters || !labels.every((each) => label.test(each)))
    return `${showText(name)} is not a valid host name`;
  if (localSuffixes.includes(labels.at(-1) ?? "")) return `${name} is a name for this machine or its own network`;
  if (labels.length === 1) return `${name} has no dot, so it can only be a machine nearby`;
  return undefined;
}

function portOf(url: URL): number {
  if (url.port !== "") return Number(url.port);
  return url.protocol === "https:" ? 443 : 80;
}

function refuse(rule: Rule, reason: string, url: string): Refusal {
  return { kind: "refused", rule, reason, url };
}

function showText(text: string): string {
  const shown = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "\u{fffd}");
  return shown.length > 300 ? `${shown.slice(0, 300)}…` : shown;
}
