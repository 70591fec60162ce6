// The assembly with its HTTP server on a free port of this machine, and a client that speaks plain HTTP to it.
import type { AccessToken, Scope } from "../../../src/contract/wire/access.ts";
import { httpRoom } from "../../../src/gateway/http/http-room.ts";
import { type AssistantOptions, openAssistant } from "../assistant.ts";

export type RestSceneOptions = AssistantOptions;
export type Answered = { status: number; headers: Headers; body: unknown };

export async function openRestScene(options: RestSceneOptions) {
  const assistant = await openAssistant({
    ...options,
    servesPage: true,
    settings: { ...options.settings, gateway: { port: 0 } },
    rooms: [...(options.rooms ?? []), httpRoom],
  });
  const { page: address } = (await assistant.call("health.check", {})) as { page: string };
  const tokenFor = (scope: Scope, sessionKey?: string) =>
    assistant.call("access.create", { name: `for ${scope}`, scope, sessionKey }) as Promise<{
      token: string;
      record: AccessToken;
    }>;
  const { token } = await tokenFor("owner");

  return {
    ...assistant,
    address,
    port: Number(new URL(address).port),
    token,
    tokenFor,
    request: (path: string, init: RequestInit = {}) => fetch(`${address}${path}`, withToken(init, token)),
    send: (method: string, path: string, body?: unknown, init: RequestInit = {}): Promise<Answered> =>
      ask(`${address}${path}`, withToken(bodied(method, body, init), token)),
  };
}
export type RestScene = Awaited<ReturnType<typeof openRestScene>>;

function bodied(method: string, body: unknown, init: RequestInit): RequestInit {
  if (body === undefined) return { method, ...init };
  const headers = { "content-type": "application/json", ...(init.headers as Record<string, string> | undefined) };
  return { ...init, method, body: JSON.stringify(body), headers };
}

// a test that names its own token, or an empty one for nobody, keeps it
function withToken(init: RequestInit, token: string): RequestInit {
  const given = (init.headers ?? {}) as Record<string, string>;
  const { authorization = `Bearer ${token}`, ...rest } = given;
  return { ...init, headers: authorization === "" ? rest : { ...rest, authorization } };
}

async function ask(url: string, init: RequestInit): Promise<Answered> {
  const response = await fetch(url, init);
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json") && text !== "";
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
}
