// Where somebody may be on a command line, and what can be written there next: what all shells are told.
import type { Command, CommandWord, SingleCommand } from "../../contract/room/command.ts";

/** What completes a word: a list that stands in the script, or the conversations of this machine. */
export type Offer = { words: readonly string[]; sessions: boolean };
export type PlaceOption = { flag: string; description: string; value?: Offer };

export type Place = {
  /** The commands that lead there: `token create`; empty at the beginning. */
  path: string;
  commands: readonly { name: string; description: string }[];
  options: readonly PlaceOption[];
  /** For words that are no options. */
  argument: Offer;
};

const nothing: Offer = { words: [], sessions: false };
const help: PlaceOption = { flag: "--help", description: "Show the help" };
const version: PlaceOption = { flag: "--version", description: "Print the version" };

export function completionPlaces(commands: readonly Command[], settingKeys: readonly string[]): readonly Place[] {
  const chat = commands.find((command) => command.name === "chat");
  const beginning: Place = {
    path: "",
    commands: commands.map(inWords),
    // options without a command belong to the chat
    options: [...(chat && !("commands" in chat) ? optionsOf(chat) : []), help, version],
    argument: nothing,
  };
  return [beginning, ...commands.flatMap((command) => placesOf(command))];

  function placesOf(command: Command, before = ""): readonly Place[] {
    const path = `${before}${command.name}`;
    if (!("commands" in command))
      return [{ path, commands: [], options: [...optionsOf(command), help], argument: argumentOf(command) }];
    const own = { path, commands: command.commands.map(inWords), options: [help], argument: nothing };
    return [own, ...command.commands.flatMap((inner) => placesOf(inner, `${path} `))];
  }

  function optionsOf({ options = [] }: SingleCommand): PlaceOption[] {
    return options.map(({ form, description, ...word }) => {
      const [flag = "", value] = form.split(" ");
      return value === undefined ? { flag, description } : { flag, description, value: offerOf(word) };
    });
  }

  function argumentOf({ arguments: [first] = [] }: SingleCommand): Offer {
    return first ? offerOf(first) : nothing;
  }

  function offerOf({ choices, completes }: CommandWord): Offer {
    return { words: completes === "setting" ? settingKeys : (choices ?? []), sessions: completes === "session" };
  }
}

function inWords({ name, summary }: Command) {
  return { name, description: summary };
}

/** Every step from one place to the next, as a shell compares it: the place, a space, and the word. */
export function stepsBetween(places: readonly Place[]): string[] {
  return places.flatMap(({ path, commands }) => commands.map(({ name }) => `${path} ${name}`));
}

/** Prints the keys of the conversations, and of those of the terminal the short names; none that a shell could obey. */
export const listSessions =
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell fills it in
  'ls "${STEWARD_HOME:-$HOME/.steward}/data/sessions" 2>/dev/null | sed -n -e "/^steward--/d" -e "s/^\\([A-Za-z0-9_.-]*\\)\\.jsonl\\$/\\1/" -e "t ok" -e d -e ":ok" -e p -e "s/^terminal--//p"';
