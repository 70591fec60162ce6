// What is said of tokens and passwords that are missing or not taken: how a person gives another one, and what one looks like.

export function missingWords(names: readonly string[]): string {
  const [are, them] = names.length === 1 ? ["is", "it"] : ["are", "them"];
  return `${names.join(" and ")} ${are} missing: ${giveWords(names[0] ?? "", them)}`;
}

/** Goes on after "and" or a colon; the command itself says what is to be done after it. */
export function giveWords(name: string, them = "it"): string {
  return `give ${them} under Channels on the page, or with: steward channels set-token ${name}`;
}

const forms: Readonly<Record<string, { pattern: RegExp; words: string }>> = {
  TELEGRAM_BOT_TOKEN: { pattern: /^\d+:\S+$/, words: "is a number, a colon and letters" },
  SLACK_BOT_TOKEN: { pattern: /^xoxb-\S+$/, words: "begins with xoxb-" },
  SLACK_APP_TOKEN: { pattern: /^xapp-\S+$/, words: "begins with xapp-" },
};

/** Where one is surely told from something else, as when two were swapped. */
export function formOfSecret(name: string): { pattern: RegExp; words: string } | undefined {
  return forms[name];
}
