// Who came in and who was turned away is in the audit log, and never by what.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bearer, firefox, json, openHttpScene, owner } from "../../scenes/gateway/http-scene.ts";

test("sign-ins, good and bad, are in the audit log without a secret", async () => {
  const scene = await openHttpScene();
  const { code } = scene.access.createCode();
  const first = await scene.send("POST", "/api/session", json({ code }, { "User-Agent": firefox }));
  const cookie = String(first.headers["set-cookie"]?.[0]).split(";")[0] ?? "";
  const token = await scene.token({ name: "backup" });
  for (let at = 0; at < 50; at++) {
    await scene.send("GET", "/api/owner", { headers: { Cookie: cookie } });
    await scene.send("GET", "/api/owner", bearer(token));
  }
  const [tokenId = ""] = (await scene.access.list()).flatMap(({ id, kind }) => (kind === "token" ? [id] : []));
  await scene.access.revoke(owner, tokenId);
  await scene.send("GET", "/api/owner", bearer(token));
  await scene.send("POST", "/api/session", json({ code }));
  for (let at = 0; at < 30; at++) await scene.send("GET", "/api/owner", bearer("stw_guess"));
  await scene.send("DELETE", "/api/session", { headers: { Cookie: cookie } });
  await scene.send("GET", "/api/owner", { headers: { Cookie: cookie } });
  await scene.close();
  const folder = join(scene.home, "audit");
  const [file = ""] = await readdir(folder);
  const text = await readFile(join(folder, file), "utf8");
  const lines = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  const shown = lines.map(({ type, how, what, times, from, name }) =>
    [type, how ?? what, times, from ?? name].filter((part) => part !== undefined).join(" "),
  );
  expect(shown).toEqual([
    "access.granted Firefox on Linux",
    "access.signed_in code 127.0.0.1",
    "access.granted backup",
    "access.signed_in token 127.0.0.1",
    "access.revoked",
    "access.refused token 1 127.0.0.1",
    "access.refused code 1 127.0.0.1",
    "access.refused token 1 127.0.0.1",
    "access.refused locked out 1 127.0.0.1",
    "access.revoked",
    // by the cookie of the session that was ended
    "access.refused locked out 1 127.0.0.1",
    "access.refused token 7 127.0.0.1",
    "access.refused locked out 21 127.0.0.1",
  ]);
  expect(lines[5]).toMatchObject({ tokenId });
  for (const at of [7, 8, 11, 12]) expect(lines[at]).not.toHaveProperty("tokenId");
  for (const secret of [code, token, token.slice(4), cookie.split("=")[1] ?? "?"]) expect(text).not.toContain(secret);
});
