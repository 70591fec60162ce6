import { gitVariables } from "./git-environment.ts";
import type { SandboxCommand } from "./sandbox.ts";

export const privateHome = "/tmp/home";
export const relayPort = 3128;

/** Everything the command finds in its environment, built from nothing. */
export function commandEnvironment(command: SandboxCommand): Record<string, string> {
  return {
    PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    HOME: privateHome,
    LANG: "C.UTF-8",
    TERM: "dumb",
    // git asks for it where a repository names no author
    EMAIL: "agent@localhost",
    // in a home that is new each time, npm would look for an update of itself with every command
    npm_config_update_notifier: "false",
    ...gitVariables,
    ...(command.network.kind === "proxy" ? proxyVariables() : {}),
    ...command.environment,
  };
}

function proxyVariables(): Record<string, string> {
  const proxy = `http://127.0.0.1:${relayPort}`;
  // curl reads only the small form of http_proxy, others only the capitals
  return { http_proxy: proxy, https_proxy: proxy, HTTP_PROXY: proxy, HTTPS_PROXY: proxy };
}
