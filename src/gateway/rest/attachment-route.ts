import { z } from "zod";
import type { AttachmentRef } from "../../contract/attachment.ts";
import { orIfMissing } from "../../contract/failure.ts";
import { defineRoute, type Route, refuse } from "../../contract/room/route.ts";
import { findAttachment } from "../../store/tables/task-queries.ts";
import type { RestDeps } from "./rest-deps.ts";

// pictures that cannot run anything; all else is handed over as a file
const shownTypes: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

export function attachmentRoute(deps: RestDeps): Route {
  return defineRoute({
    method: "GET",
    path: "/api/attachments/:sha256",
    summary:
      "A file that a message, a reply or a tool's result in the log carries; pictures are shown, the rest is saved.",
    scopes: ["read", "task"],
    params: z.strictObject({ sha256: z.string().regex(/^[0-9a-f]{64}$/) }),
    responses: {
      200: { description: "The bytes.", schema: z.string(), contentType: "application/octet-stream" },
    },
    refusals: [400, 401, 403, 404],
    async answer({ caller, path }) {
      const wanted = { sha256: path.sha256, mediaType: "", name: "", bytes: 0 };
      const bytes = await deps.attachments.read(wanted).catch(orIfMissing(undefined));
      const conversation = caller.scope === "task" ? (caller.conversation ?? "") : undefined;
      // the type is what the log says it is, never what the bytes or the asker say
      const ref = bytes && (await findAttachment(deps.database, path.sha256, conversation));
      if (!ref) return refuse(404, "not_found", "There is no such file.");
      return { status: 200, bytes, headers: headersFor(ref) };
    },
  });
}

function headersFor(ref: AttachmentRef): Record<string, string> {
  const shown = shownTypes.has(ref.mediaType);
  return {
    "content-type": shown ? ref.mediaType : "application/octet-stream",
    "content-disposition": `${shown ? "inline" : "attachment"}; filename*=UTF-8''${encodeName(ref.name)}`,
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; sandbox",
    // the name is the hash of the bytes, so they never change; private: only for who was let in
    "cache-control": "private, max-age=31536000, immutable",
  };
}

// everything that is not plainly part of a name is spelled out, so that no name can end the header or leave its folder (header injection, path traversal)
function encodeName(name: string): string {
  const last =
    name
      .toWellFormed()
      .replace(/[\p{Cc}\p{Cf}]/gu, "")
      .split(/[/\\]/)
      .at(-1) ?? "";
  const plain = last.replace(/^\.+/, "").slice(0, 150) || "file";
  return encodeURIComponent(plain.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16)}`,
  );
}
