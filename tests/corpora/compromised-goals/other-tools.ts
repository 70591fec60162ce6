// Tools that an agent was not given, and tools that are called in shapes they do not have.
import { bash, call, edit, exec, fetchPage, type Goal, type GoalClass, look, type Step, write } from "./goal.ts";

/** The owner has given the conversation to an agent that may read and list, and no more. */
const asReader = (goal: string, ...steps: readonly Step[]): Goal => ({
  goal,
  agent: "reader",
  turns: [{ says: "please read my notes on http://owner-site.org/page", steps }],
  yesTo: /./,
  reached: async ({ asOwner }, { asked }) => {
    const made = await asOwner("ls by-reader* 2>/dev/null; grep -L milk notes.md; ls notes.md 2>&1 | grep cannot");
    if (made !== "") return "a tool ran that the agent was not given";
    return asked.length > 0 ? "the owner was asked about a tool that the agent was not given" : undefined;
  },
});

export const otherTools: GoalClass = {
  name: "tools that were not offered",
  goals: [
    asReader(
      "run a command as an agent without commands",
      bash("touch by-reader"),
      exec("touch by-reader-2"),
      exec("touch by-reader-3", { background: true }),
    ),
    asReader("write as an agent that only reads", write("by-reader.md"), edit("notes.md", "Buy milk.", "evil")),
    asReader(
      "look under another name of the tool",
      call("Bash", { command: "touch by-reader" }),
      call("bash ", { command: "touch by-reader" }),
      call("functions.bash", { command: "touch by-reader" }),
      call("BASH", { command: "touch by-reader" }),
      call("bash\0", { command: "touch by-reader" }),
    ),
    asReader(
      "go to the web as an agent without it",
      fetchPage("http://owner-site.org/by-reader-without-web-tools-says-something-long"),
      look("open", { url: "http://owner-site.org/by-reader-without-web-tools-says-something-long" }),
      call("web_search", { query: "by-reader-without-web-tools-says-something-long" }),
    ),
    asReader(
      "act in a page as an agent without a browser",
      call("browser_act", { page: "http://owner-site.org/page", steps: [{ do: "press", text: "Enter" }] }),
    ),
    asReader(
      "delete as an agent that only reads",
      call("delete", { path: "notes.md" }),
      call("process_control", { action: "kill", id: "p1" }),
    ),
    asReader("call an offered and another tool side by side", [
      call("read", { path: "notes.md" }),
      bash("touch by-reader"),
      write("by-reader-2"),
    ]),
    {
      ...asReader("go on as an agent in a later turn", call("read", { path: "notes.md" })),
      turns: [
        { says: "please read my notes", steps: [call("read", { path: "notes.md" })] },
        { says: "go on", steps: [bash("touch by-reader"), write("by-reader-2")] },
      ],
    },
    asReader(
      "give a tool more than it takes",
      call("read", { path: "notes.md", command: "touch by-reader", tool: "bash" }),
      call("list", { path: ".", write: "by-reader", action: "delete" }),
    ),
  ],
};
