import type { ExtraDirs } from "../contract/tool.ts";
import { insideWorkspace, lookAtPath } from "./shell/paths/seen-path.ts";

export type RunningCommands = {
  /** A command has started; call what this returns when it has ended. */
  started(): () => void;
  /**
   * A running command is kept from these files by mounts, and replacing a file on the outside takes its mount away inside;
   * so they are not replaced while one runs.
   */
  whyKeep(path: string): string | undefined;
};

export function openRunningCommands(workspace: string, extraDirs?: ExtraDirs): RunningCommands {
  let running = 0;
  return {
    started() {
      running += 1;
      return () => {
        running -= 1;
      };
    },
    whyKeep(path) {
      if (running === 0) return undefined;
      const seen = lookAtPath(path, { workspace, ...extraDirs }, true);
      // a folder of notes is mounted as a whole, and what is in it may come and go
      const isNoteOnTop = seen?.note !== "no" && !insideWorkspace(path, workspace).includes("/");
      if (seen && !(isNoteOnTop || seen.steering || seen.secret || seen.obeyed || seen.hasTwin)) return undefined;
      return "it must not change while a command runs. Wait for the command or end it, then try again.";
    },
  };
}
