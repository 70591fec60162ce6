/** Lines for a terminal that send a first request to a webhook, signed by the Standard Webhooks rules when it has a secret. */
export function hookExample(hook: { address: string; secret: string | undefined }): string {
  const { address, secret } = hook;
  if (secret === undefined) return `curl ${address} -H 'content-type: application/json' -d '{"hello":"world"}'`;
  return [
    `body='{"hello":"world"}'; id="msg_$(date +%s%N)"; at=$(date +%s)`,
    `key=$(printf %s '${secret.replace(/^whsec_/, "")}' | base64 -d | od -An -v -tx1 | tr -d ' \\n')`,
    `sig=$(printf %s "$id.$at.$body" | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | base64)`,
    `curl ${address} -H 'content-type: application/json' -H "webhook-id: $id" \\`,
    `  -H "webhook-timestamp: $at" -H "webhook-signature: v1,$sig" -d "$body"`,
  ].join("\n");
}
