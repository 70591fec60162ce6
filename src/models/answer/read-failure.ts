import { z } from "zod";
import type { ModelTrouble } from "../../contract/model.ts";
import { nearestName } from "../../contract/names/nearest-name.ts";
import { visibleLine } from "../../contract/words/visible-line.ts";
import type { ProviderPlace } from "../choice/provider-places.ts";
import { retryAfterMs } from "./retry-delay.ts";

export type ModelFailure = {
  kind: ModelTrouble;
  /** Half a sentence for a status line, such as `anthropic is overloaded (529)`. */
  reason: string;
  /** The sentence for the person, with what to do next. */
  message: string;
  retryAfterMs?: number | undefined;
  /** The provider no longer accepts its own earlier state or the wish to think; without them it may answer. */
  mayWorkPlain?: boolean;
};

// errors of the packages and of fetch have these fields or some of them; a field of another type counts as missing
const Thrown = z.object({
  name: z.string().optional().catch(undefined),
  message: z.string().optional().catch(undefined),
  statusCode: z.number().optional().catch(undefined),
  responseHeaders: z.record(z.string(), z.string()).optional().catch(undefined),
  responseBody: z.string().optional().catch(undefined),
  code: z.union([z.string(), z.number()]).optional().catch(undefined),
  type: z.string().optional().catch(undefined),
  value: z.unknown().optional(),
  cause: z.unknown().optional(),
});
type Thrown = z.infer<typeof Thrown>;

const tooLong =
  /prompt is too long|exceed context limit|context[_ ]length|context window|available context size|context size has been exceeded|exceed_context|maximum number of tokens|request_too_large|input is too long/i;
const noCredit = /credit balance|insufficient_quota|exceeded your current quota|billing|payment required/i;
const stateOrThinking = /thinking|signature|reasoning|encrypted/i;

/** Turns whatever a request ended with into one of the kinds that the rest of the program knows. */
export function readFailure(place: ProviderPlace, thrown: unknown, nowMs: number): ModelFailure {
  const error = Thrown.safeParse(thrown).data ?? { message: String(thrown), value: undefined, cause: undefined };
  const status = statusOf(error);
  const said = withoutKey(place.key, describe(error));
  const everything = `${said} ${error.code ?? ""} ${error.type ?? ""} ${error.responseBody ?? ""}`;
  const { name } = place;
  if (status === 401 || status === 403) return refusedKey(place, status, said);
  if (status === 402 || noCredit.test(everything)) {
    const reason = `${name} wants to be paid (${said})`;
    return { kind: "credentials", reason, message: `${reason}. Add credit to the account, or choose another model.` };
  }
  const retryAfter = retryAfterMs(error.responseHeaders ?? {}, nowMs);
  if (status === 429) return waitable("rate_limit", `${name} limits the rate of requests (429)`, retryAfter);
  if (tooLong.test(everything)) {
    const message = `The conversation is too long for this model of ${name} (${said}). Shorten it, or start a new one.`;
    return { kind: "context_too_long", reason: `the conversation is too long for ${name}`, message };
  }
  if (status !== undefined && (status >= 500 || status === 408 || status === 409 || status === 425)) {
    return waitable("overloaded", `${name} is overloaded or has a fault (${status}: ${said})`, retryAfter);
  }
  if (status !== undefined && status >= 400) {
    const reason = `${name} refuses the request (${status}: ${said})`;
    const message = `${reason}. Check the name of the model and its settings, or choose another model.`;
    return { kind: "bad_request", reason, message, mayWorkPlain: stateOrThinking.test(everything) };
  }
  return withoutStatus(name, error, said);
}

export function missingKey(place: ProviderPlace): ModelFailure {
  const message = `There is no key for ${place.name}. Set ${place.keyVariable}, or put the key under "${place.name}" in auth.json.`;
  return { kind: "credentials", reason: `there is no key for ${place.name}`, message };
}

export function unusableKey(place: ProviderPlace): ModelFailure {
  const reason = `the key for ${place.name} holds characters that no key has`;
  const message = `The key for ${place.name} holds spaces, line ends or other characters that no key has. Copy it again into ${place.keyVariable}, or into auth.json under "${place.name}".`;
  return { kind: "credentials", reason, message };
}

export function unknownProvider(name: string, known: readonly string[]): ModelFailure {
  const reason = `there is no provider for the model ${name}`;
  const meant = nearestName(name.split("/", 1)[0] ?? "", known);
  const message = `There is no provider for the model ${name}.${meant ? ` Did you mean ${meant}?` : ""} A model is named provider/model, and the providers are ${known.join(", ")}; add others under models.providers in config.json.`;
  return { kind: "credentials", reason, message };
}

function refusedKey(place: ProviderPlace, status: number, said: string): ModelFailure {
  const reason = `${place.name} refuses the key (${status}: ${said})`;
  const message = `${reason}. Check ${place.keyVariable}, or the entry "${place.name}" in auth.json.`;
  return { kind: "credentials", reason, message };
}

function waitable(
  kind: "rate_limit" | "overloaded" | "network",
  reason: string,
  retryAfter?: number | undefined,
): ModelFailure {
  const message = `${reason}. Try again later, or choose another model.`;
  return retryAfter === undefined ? { kind, reason, message } : { kind, reason, message, retryAfterMs: retryAfter };
}

// errors that a package throws about the request itself, before anything is sent
const aboutRequest =
  /^AI_(UnsupportedFunctionality|Invalid(Prompt|Argument)|NoSuchModel|TypeValidation)Error$|^(Type|Range|Reference|Syntax)Error$/;

function withoutStatus(name: string, error: Thrown, said: string): ModelFailure {
  const isGarbled = error.value !== undefined || error.name === "AI_JSONParseError";
  if (!isGarbled && error.name && aboutRequest.test(error.name) && !networkCode(error)) {
    const what = `request to ${name} could not be made (${said})`;
    return { kind: "bad_request", reason: `the ${what}`, message: `The ${what}. Choose another model.` };
  }
  if (isUnreachable(error)) {
    const reason = `nobody answers at the address of ${name} (${said})`;
    const message = `Nobody answers at the address of ${name} (${said}). Start the server, mend its address in Setup, or choose another model.`;
    return { kind: "network", reason, message };
  }
  return waitable("network", `${name} did not give a whole answer (${said})`);
}

function isUnreachable(error: Thrown): boolean {
  return /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|bad port/.test(describe(error));
}

/** For answers that ended by themselves in a way no whole answer ends. */
export function brokenOff(place: ProviderPlace, how: string): ModelFailure {
  return waitable("network", `${place.name} did not give a whole answer (${how})`);
}

// a 200 on an error means that the stream broke after it had begun
function statusOf(error: Thrown): number | undefined {
  const code = typeof error.code === "number" ? error.code : undefined;
  const status = error.statusCode ?? code;
  return status !== undefined && status >= 400 && status <= 599 ? status : undefined;
}

function describe(error: Thrown): string {
  const cause = Thrown.safeParse(error.cause).data;
  const inner = Thrown.safeParse(cause?.cause).data;
  const text = messageInside(error.value) ?? networkCode(error) ?? messageInBody(error) ?? error.message;
  return visibleLine(text || inner?.message || cause?.message || "no reason given", 300).replace(/\.$/, "");
}

function networkCode(error: Thrown): string | undefined {
  let current: Thrown | undefined = error;
  for (let depth = 0; current && depth < 5; depth += 1) {
    if (typeof current.code === "string" && /^(E[A-Z]+|UND_ERR_\w+)$/.test(current.code)) {
      return current.message && !current.message.includes(current.code)
        ? `${current.code}: ${current.message}`
        : current.message;
    }
    current = Thrown.safeParse(current.cause).data;
  }
  return undefined;
}

const ErrorBody = z.object({ error: z.union([z.string(), z.object({ message: z.string() })]) });

// some servers put their error where an answer belongs; the package then complains about the shape and keeps the value
function messageInside(value: unknown): string | undefined {
  const body = ErrorBody.safeParse(value);
  if (!body.success) return undefined;
  return typeof body.data.error === "string" ? body.data.error : body.data.error.message;
}

function messageInBody(error: Thrown): string | undefined {
  if (error.statusCode === undefined || error.statusCode < 400) return undefined;
  const body = (error.responseBody ?? "").trim();
  try {
    return messageInside(JSON.parse(body)) ?? error.message;
  } catch {
    // not JSON: a proxy's page or plain text; its beginning says more than the status line
    return error.message || body.slice(0, 200);
  }
}

// a server that repeats the key in its complaint must not bring it into the log
export function withoutKey(key: string | undefined, text: string): string {
  return key ? text.replaceAll(key, "…") : text;
}
