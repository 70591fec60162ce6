// The description of Steward for launchd: a list of properties in XML.
import { join } from "node:path";
import type { SupervisorDeps } from "./supervisor.ts";

export const launchdLabel = "io.steward.daemon";

/** Where what Steward prints is kept; its own log lies beside it. */
export function launchdOutput({ machine, home }: SupervisorDeps): string {
  return join(home ?? join(machine.userHome, ".steward"), "logs", "launchd.log");
}

export function launchdPlist(deps: SupervisorDeps): string {
  const { machine, home } = deps;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    '<plist version="1.0">',
    "<!-- Written by: steward service install -->",
    "<dict>",
    ...pair("Label", text(launchdLabel)),
    ...pair("ProgramArguments", list([machine.node, machine.script, "daemon"].map(text))),
    ...(home === undefined ? [] : pair("EnvironmentVariables", dictionary(pair("STEWARD_HOME", text(home))))),
    ...pair("RunAtLoad", ["<true/>"]),
    "<!-- an end that was asked for stays one; whatever else ends it is followed by a new start -->",
    ...pair("KeepAlive", dictionary(pair("SuccessfulExit", ["<false/>"]))),
    ...pair("ThrottleInterval", ["<integer>10</integer>"]),
    "<!-- longer than Steward takes at most -->",
    ...pair("ExitTimeOut", ["<integer>30</integer>"]),
    ...pair("ProcessType", text("Background")),
    ...pair("StandardOutPath", text(launchdOutput(deps))),
    ...pair("StandardErrorPath", text(launchdOutput(deps))),
    "</dict>",
    "</plist>",
    "",
  ].join("\n");
}

function pair(key: string, value: readonly string[]): string[] {
  return [`<key>${escaped(key)}</key>`, ...value].map(indented);
}

function list(values: readonly (readonly string[])[]): string[] {
  return ["<array>", ...values.flat().map(indented), "</array>"];
}

function dictionary(pairs: readonly string[]): string[] {
  return ["<dict>", ...pairs, "</dict>"];
}

function text(words: string): string[] {
  return [`<string>${escaped(words)}</string>`];
}

function indented(line: string): string {
  return `  ${line}`;
}

function escaped(words: string): string {
  return words.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
