import { expect, test } from "vitest";
import { type ContainerPlan, containerArguments } from "./container-arguments.ts";
import { containerName } from "./remove-containers.ts";

const plan: ContainerPlan = {
  name: "steward-1-family-2-x",
  label: "steward.group=steward-1-family-2",
  image: "assistant:1",
  user: { uid: 1234, gid: 1235 },
  rootless: false,
  mounts: [
    { source: "/real/family", target: "/groups/family", access: "write" },
    { source: "/photos", target: "/photos", access: "read" },
  ],
  socketPath: undefined,
  cwd: "/groups/family",
  environment: { LANG: "C.UTF-8" },
  limits: { wallMs: 60_000, memoryBytes: 2 ** 29, processes: 100, outputBytes: 1, cpuSeconds: 30, fileBytes: 1000 },
  cpus: 1.5,
  runtime: undefined,
  takesInput: false,
  inner: ["/bin/sh", "-c", "true"],
};

const shared = [
  ["--name", "steward-1-family-2-x"],
  ["--user", "1234:1235"],
  ["--network", "none"],
  ["--cap-drop", "ALL"],
  ["--mount", "type=bind,source=/real/family,target=/groups/family"],
  ["--mount", "type=bind,source=/photos,target=/photos,readonly"],
  ["--env", "LANG=C.UTF-8"],
  ["--workdir", "/groups/family"],
];

test.each(["podman", "docker", "apple-container"] as const)(
  "%s: the group's folder, a plain user, no network",
  (program) => {
    const words = containerArguments(program, plan);
    for (const pair of shared) expect(pairsOf(words)).toContainEqual(pair);
    expect(words).toContain("--read-only");
    expect(words).toContain("--rm");
    expect(words).not.toContain("--privileged");
  },
);

test.each(["podman", "docker"] as const)("%s: limits and no new privileges", (program) => {
  expect(pairsOf(containerArguments(program, plan))).toEqual(
    expect.arrayContaining([
      ["--memory", "536870912"],
      ["--memory-swap", "536870912"],
      ["--pids-limit", "100"],
      ["--cpus", "1.5"],
      ["--security-opt", "no-new-privileges"],
      ["--ulimit", "cpu=30:30"],
      ["--ulimit", "fsize=1000:1000"],
      ["--pull", "never"],
    ]),
  );
});

test("Apple's container counts memory in whole megabytes and processors in whole numbers", () => {
  expect(pairsOf(containerArguments("apple-container", plan))).toEqual(
    expect.arrayContaining([
      ["--memory", "512M"],
      ["--cpus", "2"],
      ["--entrypoint", "/bin/sh"],
    ]),
  );
});

test("the command stands last and whole, whatever is in it", () => {
  const inner = ["/bin/sh", "-c", "echo --privileged; rm -rf $HOME"];
  for (const program of ["podman", "docker"] as const)
    expect(containerArguments(program, { ...plan, inner }).slice(-4)).toEqual(["assistant:1", ...inner]);
  expect(containerArguments("apple-container", { ...plan, inner }).slice(-3)).toEqual([
    "assistant:1",
    ...inner.slice(1),
  ]);
});

test("podman ends a container by itself if Steward is gone, and keeps the user's id without root", () => {
  const words = pairsOf(containerArguments("podman", { ...plan, rootless: true }));
  expect(words).toContainEqual(["--timeout", "65"]);
  expect(words).toContainEqual(["--userns", "keep-id"]);
});

test("another runtime stands where each program wants it", () => {
  expect(containerArguments("podman", { ...plan, runtime: "runsc" }).slice(0, 3)).toEqual([
    "--runtime",
    "runsc",
    "run",
  ]);
  expect(containerArguments("docker", { ...plan, runtime: "runsc" }).slice(0, 3)).toEqual([
    "run",
    "--runtime",
    "runsc",
  ]);
});

test("the way out is a socket, not a network", () => {
  const words = containerArguments("docker", { ...plan, socketPath: "/run/s" });
  expect(words).toContain("type=bind,source=/run/s,target=/run/steward/egress.sock,readonly");
  expect(pairsOf(words)).toContainEqual(["--network", "none"]);
});

test("groups whose names read alike have containers of different names", () => {
  const [one, other] = [containerName("/home", "/groups/Our Family"), containerName("/home", "/groups/our-family")];
  expect(one).toMatch(/^steward-[0-9a-f]{8}-our-family-[0-9a-f]{8}$/);
  expect(one).not.toBe(other);
});

function pairsOf(words: readonly string[]): string[][] {
  return words.map((word, position) => [word, words[position + 1] ?? ""]);
}
