// A group that was taken over: its model does whatever an attacker says, and its owner says yes without looking. Nothing of the
// owner's and of other groups comes out, and nothing of theirs changes.
import { expect, test } from "vitest";
import { type GroupAttack, groupAttacks } from "../corpora/group-attacks.ts";
import { household, steps } from "../scenes/channels/group-scene.ts";
import { breaches, named, openWalledScene, type WalledScene } from "../scenes/channels/walled-scene.ts";

async function attempt(scene: WalledScene, attack: GroupAttack): Promise<readonly string[]> {
  const [sinceSeq, returned] = [(await scene.events()).at(-1)?.seq ?? 0, (await scene.outputs()).length];
  const runsBefore = (await scene.events()).filter(({ type }) => type === "task.settled").length;
  scene.runs.push(...steps(named(attack.run ?? [], scene.names)));
  await scene.answered({ calls: named(attack.calls, scene.names), text: `@Andy ${attack.name}` });
  if (attack.run)
    await scene.untilApproved(
      async () => (await scene.events()).filter(({ type }) => type === "task.settled").length > runsBefore,
    );
  const outputs = (await scene.outputs()).slice(returned);
  const met = outputs.filter(({ conversation }) => !attack.run || conversation !== household).at(-1);
  const isReal = outputs.length >= attack.calls.length && attack.meets.test(met?.output ?? "");
  const through = [
    ...(await breaches(scene, sinceSeq)),
    ...(isReal ? [] : [`met something else: ${met?.output.slice(0, 300)}`]),
  ];
  return through.map((what) => `${attack.name}: ${what}`);
}

async function attemptAll(attacks: readonly GroupAttack[]): Promise<readonly string[]> {
  const scene = await openWalledScene();
  const through: string[] = [];
  for (const attack of attacks) through.push(...(await attempt(scene, attack)));
  console.log(`${attacks.length} attempts of a group, ${through.length} came through`);
  expect(scene.troubles).toEqual([]);
  return through;
}

test("no tool for files reaches out of the group's folder, by whatever path", async () => {
  expect(await attemptAll(groupAttacks.files)).toEqual([]);
}, 300_000);

test("no link that a command of the group has made leads out of its folder", async () => {
  expect(await attemptAll(groupAttacks.links)).toEqual([]);
}, 300_000);

test("no command of the group sees or changes anything else, though the owner lets it run", async () => {
  expect(await attemptAll(groupAttacks.commands)).toEqual([]);
}, 300_000);

test("a group neither sees nor changes tasks of others, and plans nothing that is told elsewhere", async () => {
  expect(await attemptAll(groupAttacks.tasks)).toEqual([]);
}, 300_000);

test("a task of a group has no more rights when it runs than the group has", async () => {
  expect(await attemptAll(groupAttacks.runs)).toEqual([]);
}, 300_000);

test("a group reaches no conversation but its own and none of the owner's tools", async () => {
  expect(await attemptAll(groupAttacks.elsewhere)).toEqual([]);
}, 300_000);
