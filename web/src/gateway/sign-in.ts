// A one-time code becomes a cookie that scripts cannot read. The code leaves the address before anything else is shown.

/** `#code=abc` → `abc` */
export function codeInHash(hash: string): string | undefined {
  const code = new URLSearchParams(hash.replace(/^#/, "")).get("code")?.trim();
  return code === "" ? undefined : code;
}

/** A code as a person pastes it: bare, or the whole link it came in. */
export function codeInPaste(text: string): string | undefined {
  const pasted = text.trim();
  const hash = pasted.indexOf("#");
  if (hash >= 0) return codeInHash(pasted.slice(hash));
  return pasted === "" ? undefined : pasted;
}

export type SignedIn = { ok: true } | { ok: false; problem: string };

export async function exchangeCode(fetcher: typeof fetch, code: string): Promise<SignedIn> {
  try {
    const response = await fetcher("/api/session", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ code }),
    });
    return response.ok ? { ok: true } : { ok: false, problem: problemOf(response.status) };
  } catch {
    // fetch throws for one reason only: nobody answered
    return { ok: false, problem: "Steward is not answering. Is it running?" };
  }
}

export async function endSession(fetcher: typeof fetch): Promise<SignedIn> {
  try {
    const response = await fetcher("/api/session", { method: "DELETE" });
    return response.ok ? { ok: true } : { ok: false, problem: "Steward did not sign this browser out." };
  } catch {
    // as above
    return { ok: false, problem: "Steward is not answering, so this browser is still signed in." };
  }
}

function problemOf(status: number): string {
  if (status === 429) return "Too many tries. Wait a minute, then try again.";
  if (status >= 500) return "Steward could not check the code. Try again.";
  return "That code is not valid any more. A code works once and only for a few minutes: ask for a new one.";
}
