const shownInstead = "••••";
const shortest = 4;

/** Hides what was typed as a password wherever a page shows it again. */
export function maskSecrets(text: string, secrets: Iterable<string>): string {
  let masked = text;
  for (const secret of secrets) {
    if (secret === "") continue;
    // a very short one would tear holes into every other word
    if (secret.length < shortest) masked = masked === secret ? shownInstead : masked;
    else for (const spelled of spellings(secret)) masked = masked.replaceAll(spelled, shownInstead);
  }
  return masked;
}

// a form may send it as a part of an address
function spellings(secret: string): Iterable<string> {
  const inForm = new URLSearchParams([["", secret]]).toString().slice(1);
  return new Set([secret, encodeURIComponent(secret.toWellFormed()), inForm]);
}
