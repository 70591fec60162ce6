import { literally } from "./format.ts";

/** Secrets without a fixed beginning, known by letters that always stand at the same distance from their start. */
export type MarkedFormat = { name: string; mark: string; markOffset: number; body: string };

export const markedFormats: readonly MarkedFormat[] = [
  marked("azure-client-secret", "[\\w~.]{3}\\d", "Q~", 4, "[\\w~.-]{31,34}"),
  marked("rapidapi-key", "[a-f0-9]{10}", "msh", 10, "[a-f0-9]{15}p1[a-f0-9]{6}jsn[a-f0-9]{12}"),
  marked("terraform-token", "[A-Za-z0-9]{14}", ".atlasv1.", 14, "[\\w=-]{50,90}"),
  marked("mailchimp-key", "[a-f0-9]{32}", "-us", 32, "\\d{1,2}(?![A-Za-z0-9])"),
  marked("new-relic-license", "[A-Za-z0-9]{36}", "NRAL", 36, "(?![A-Za-z0-9])"),
  marked("maxmind-key", "[A-Za-z0-9]{6}_[A-Za-z0-9]{29}", "_mmk", 36, "(?![A-Za-z0-9])"),
  marked("azure-devops-token", "[A-Za-z0-9]{76}", "AZDO", 76, "[A-Za-z0-9]{4}(?![A-Za-z0-9])"),
  marked("azure-functions-key", "[\\w-]{44}", "AzFu", 44, "[\\w-]{5}[AQgw]==?"),
  marked("ngrok-token", "[1-9][A-Za-z0-9]{26}", "_", 27, "(?=[A-Za-z]{0,20}\\d)[A-Za-z0-9]{20,22}(?![A-Za-z0-9_])"),
  marked("azure-resource-key", "[A-Za-z0-9]{52}", "JQQJ99", 52, "[A-Za-z0-9]{26}(?![A-Za-z0-9])"),
];

function marked(name: string, before: string, mark: string, markOffset: number, after: string): MarkedFormat {
  return { name, mark, markOffset, body: before + literally(mark) + after };
}
