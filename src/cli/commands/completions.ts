import type { Command } from "../../contract/room/command.ts";
import type { CommandLineDeps } from "../command-line-deps.ts";

const notes = `To have them in every new shell, put one of these where it is read at the start:
  ~/.bashrc                            source <(steward completions bash)
  ~/.zshrc                             source <(steward completions zsh)
  ~/.config/fish/config.fish           steward completions fish | source`;

/** `commands` are all there are, this one included. */
export function completionsCommand(
  { settingKeys }: Pick<CommandLineDeps, "settingKeys">,
  commands: () => readonly Command[],
): Command {
  return {
    name: "completions",
    summary: "Print a script that completes commands in your shell",
    description: "Print a script with which Tab completes commands, options, settings and conversations.",
    notes,
    arguments: [{ form: "<shell>", description: "your shell", choices: ["bash", "zsh", "fish"] }],
    async run({ arguments: [shell] }, { console }) {
      const { completionPlaces } = await import("../completions/completion-places.ts");
      const places = completionPlaces(commands(), await settingKeys());
      console.output.write(await scriptFor(shell ?? "", places));
      return 0;
    },
  };
}

type Places = Parameters<typeof import("../completions/bash-script.ts").bashScript>[0];

async function scriptFor(shell: string, places: Places): Promise<string> {
  if (shell === "zsh") return (await import("../completions/zsh-script.ts")).zshScript(places);
  if (shell === "fish") return (await import("../completions/fish-script.ts")).fishScript(places);
  return (await import("../completions/bash-script.ts")).bashScript(places);
}
