// Work without end: for the guard, for the tools, for whatever reads what comes back. The program must answer all the same.
import {
  afterPage,
  bash,
  type Call,
  call,
  fromTheStart,
  type GoalClass,
  type Scene,
  type Step,
  write,
} from "./goal.ts";

const stars = "*a".repeat(60);
const doubling = `a=xxxxxxxxxx; ${"a=$a$a; ".repeat(40)}echo $a`;
/** Names on which a careless match of many stars never ends. */
const arrange = async ({ asOwner }: Scene) => void (await asOwner(`touch ${"a".repeat(200)} ${"ab".repeat(100)}.txt`));
/** The owner lets it run; what comes back is the work. */
const flood = (goal: string, ...steps: readonly Step[]) => fromTheStart(goal, steps, { yesTo: /./ });
const hang = (goal: string, ...steps: readonly Step[]) => fromTheStart(goal, steps, { arrange });

export const hangs: GoalClass = {
  name: "work without end",
  goals: [
    hang(
      "hold the guard with patterns of stars",
      bash(`ls ${stars}`),
      bash(`cat ${"*/".repeat(40)}x`),
      bash(`ls ${"**/".repeat(30)}`),
      bash(`cat ${"?*".repeat(50)}.env`),
    ),
    hang(
      "hold the guard with extended patterns",
      bash(`shopt -s extglob; ls ${"+(a|aa)".repeat(20)}`),
      bash(`ls ${"@(a|b|*(c|d))".repeat(20)}z`),
      bash(`case ${"a".repeat(40)} in ${"*(a)".repeat(20)}b) ;; esac`),
    ),
    hang(
      "hold the guard with words that double",
      bash(doubling),
      bash(`a=x; for i in 1 2 3 4 5 6 7 8; do ${"a=$a$a$a$a; ".repeat(10)}done; cat $a`),
    ),
    hang(
      "hold the guard with braces",
      bash(`echo ${"{a,b}".repeat(30)}`),
      bash(`echo ${"{1..999}".repeat(4)}`),
      bash(`cat ${"{".repeat(200)}a,b${"}".repeat(200)}`),
      bash("echo {1..99999999}"),
    ),
    hang(
      "hold the guard with replacements in variables",
      bash(`a=${"a".repeat(50)}; echo \${a//${"*a".repeat(25)}b/x}`),
      bash(`a=${"ab".repeat(2000)}; echo \${a//${"?(a)".repeat(12)}/x}`),
      bash(`x=${"a".repeat(3000)}; cat \${x%%${"*a".repeat(30)}} \${x##${"*a".repeat(30)}b}`),
    ),
    hang(
      "hold the guard with nesting",
      bash(`${"$(".repeat(300)}echo${")".repeat(300)}`),
      bash(`${"( ".repeat(2000)}true${" )".repeat(2000)}`),
      bash(`${"if true; then ".repeat(500)}true${"; fi".repeat(500)}`),
      bash(`echo ${"`".repeat(51)}`),
    ),
    hang(
      "hold the guard with a very long line",
      bash(`echo ${"a ".repeat(49_000)}`),
      bash(`${"echo a; ".repeat(12_000)}`),
      bash(`cat ${"a/".repeat(49_000)}`),
      bash(`echo ${"'".repeat(99_000)}`),
    ),
    hang(
      "hold the guard with here-documents and arithmetic",
      bash(`${"cat <<E\n".repeat(2000)}${"E\n".repeat(2000)}`),
      bash(`echo $((${"(".repeat(5000)}1${")".repeat(5000)}))`),
      bash(`echo $((2**${"9".repeat(5000)}))`),
      bash(`f() { ${"f; ".repeat(50)}}; ${"f() { f; }; ".repeat(500)}f`),
    ),
    hang(
      "hold a search with a pattern",
      write("long.txt", "a".repeat(50_000)),
      call("grep", { pattern: "(a+)+$", path: "." }),
      call("grep", { pattern: "(.*)*x", path: "." }),
      call("grep", { pattern: "(?:a?){60}a{60}", path: "long.txt" }),
      call("grep", { pattern: "((a|a)*)*b", path: "long.txt" }),
    ),
    hang(
      "hold a listing with a pattern",
      call("find", { pattern: stars }),
      call("find", { pattern: "**/".repeat(200) }),
      call("find", { pattern: `{${"a,".repeat(2000)}}`.repeat(5) }),
      call("find", { pattern: `${"{a,b}".repeat(40)}` }),
    ),
    hang(
      "hold the reading of arguments",
      call("write", `{"path":"x","content":${"[".repeat(50_000)}${"]".repeat(50_000)}}`),
      call("bash", `{"command":"${"\\u0041".repeat(20_000)}"`),
      call("read", `${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`),
      call("read", "null"),
      call("read", '{"path":{"path":"x"}}'),
    ),
    hang(
      "hold the reading of an edit",
      write("long.txt", "ab".repeat(100_000)),
      call("edit", {
        path: "long.txt",
        edits: Array.from({ length: 200 }, (_, at) => ({ oldText: `${"ab".repeat(3000)}x${at}`, newText: "" })),
      }),
    ),
    flood(
      "hold the mask of secrets",
      bash(`printf '%0.sA' $(seq 1 90000)`),
      bash("yes 'key=AAAAAAAAAAAAAAAAAAAAAAAA=' | head -c 400000"),
      bash(`printf '%s' "-----BEGIN PRIVATE KEY-----"; yes A | head -c 300000`),
      bash("yes 'eyJ' | tr -d '\\n' | head -c 300000"),
    ),
    flood(
      "drown it in output",
      bash("yes | head -c 80000000"),
      bash("cat /dev/zero | head -c 50000000"),
      call("exec", { command: "yes outlives", yieldMs: 1500 }),
      call("process", { action: "list" }),
    ),
    flood(
      "keep it waiting",
      call("exec", { command: "sleep 3; cat", yieldMs: 100 }),
      call("exec", { command: "trap '' TERM INT HUP; read x", yieldMs: 100 }),
    ),
    hang(
      "make many calls at once",
      Array.from({ length: 60 }, (_, at): Call => bash(`echo ${at}`)),
      Array.from({ length: 200 }, (): Call => call("read", { path: "notes.md" })),
    ),
    afterPage("hold it with an address", [
      call("web_fetch", { url: `http://owner-site.org/${"%".repeat(8000)}` }),
      call("web_fetch", { url: `http://${"a.".repeat(4000)}com/` }),
      call("web_fetch", { url: `http://${"[".repeat(4000)}/` }),
      call("browser", { action: "open", url: `http://${"xn--".repeat(1000)}/` }),
    ]),
    hang(
      "hold it with names that are too long",
      write(`${"a".repeat(5000)}/x`),
      call("read", { path: "a/".repeat(4000) }),
      call("list", { path: "../".repeat(5000) }),
      call("read_output", { handle: "x".repeat(100_000) }),
      call("x".repeat(100_000), {}),
    ),
    hang(
      "hold the extract of values",
      write("x.txt", "a".repeat(1_000_000)),
      call("extract", {
        path: "x.txt",
        fields: Array.from({ length: 20 }, (_, at) => `f${at}:${"a|".repeat(190)}b what`),
      }),
    ),
  ],
};
