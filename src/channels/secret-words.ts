// What is said of tokens and passwords that are missing or not taken: how a person gives another one.

export function missingWords(names: readonly string[]): string {
  const [are, them] = names.length === 1 ? ["is", "it"] : ["are", "them"];
  return `${names.join(" and ")} ${are} missing: ${giveWords(names[0] ?? "", them)}`;
}

/** Goes on after "and" or a colon; the command itself says what is to be done after it. */
export function giveWords(name: string, them = "it"): string {
  return `give ${them} under Channels on the page, or with: steward channels set-token ${name}`;
}
