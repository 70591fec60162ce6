import { lineEnd } from "../reading.ts";
import { after, atLeast, exact, type Format } from "./format.ts";

const hex64 = "[a-f0-9]{64}";
const base64Key = "(?=[A-Za-z+/]{0,31}\\d)[A-Za-z0-9+/]{32}";
const flags = "(?:-[a-z-]{1,20}(?:=\\S{1,80})? {1,4}){0,3}";
const unsealLine = " [Kk]ey(?: \\d{1,2})?(?: \\([^)\\n\\r]{1,30}\\))?:(?:[ \\t]|\\\\{1,16}t){1,4}";

export const cloudFormats: readonly Format[] = [
  {
    ...exact("aws-access-key", "AKIA ASIA ABIA ACCA", "[A-Z0-9]{16}"),
    reach: { stop: lineEnd, limit: 80 },
    companion: {
      name: "aws-secret-key",
      between: "[\"']?[ \\t,;:|/]{1,4}[\"']?",
      body: "[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])",
    },
  },
  atLeast("aws-bedrock-key", "ABSK", "[A-Za-z0-9+/]{60}", "token"),
  atLeast("aws-bedrock-key", "bedrock-api-key-", "[A-Za-z0-9+/]{60}", "token"),
  atLeast("aws-marketplace-key", "amzn.mws.", "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"),
  atLeast("google-api-key", "AIza", "[\\w-]{35}"),
  atLeast("google-oauth-secret", "GOCSPX-", "[\\w-]{20}"),
  atLeast("google-oauth-token", "ya29.", "[\\w-]{20}", "dotted"),
  atLeast("google-refresh-token", "1//0 1/fFA", "[\\w-]{30}"),
  atLeast("digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", hex64),
  atLeast("alibaba-access-key", "LTAI", "[A-Za-z0-9]{20}"),
  exact("tencent-secret-id", "AKID", "[A-Za-z0-9]{32}"),
  atLeast("yandex-key", "AQVN t1.9eu y0_Ag YCAJ", "[\\w-]{33}"),
  exact("scaleway-access-key", "SCW", "[A-Z0-9]{17}"),
  atLeast("fly-token", "fo1_ fm1r_ fm1a_ fm2_", "[\\w+/=-]{40}", "token"),
  atLeast("heroku-key", "HRKU-", "[\\w-]{36}"),
  atLeast("netlify-token", "nfp_", "[A-Za-z0-9]{36}"),
  atLeast("render-key", "rnd_", "[A-Za-z0-9]{24}"),
  atLeast("cloudflare-origin-key", "v1.0-", "[a-f0-9]{24}-[a-f0-9]{100}"),
  atLeast("cloudflare-token", "cfut_ cfat_ cfk_", "[\\w-]{36}"),
  exact("supabase-token", "sbp_", "(?:v0_)?[a-f0-9]{40}"),
  atLeast("supabase-key", "sb_secret_", "[\\w-]{24}"),
  atLeast("planetscale-token", "pscale_tkn_ pscale_pw_ pscale_oauth_", "[\\w.=-]{32}", "dotted"),
  atLeast("neon-key", "napi_ npg_", "(?=[A-Za-z]{0,11}\\d)[A-Za-z0-9]{12}"),
  exact("databricks-token", "dapi dkea dose", "[a-h0-9]{32}(?:-\\d)?"),
  atLeast("prefect-key", "pnu_ pnb_", "[A-Za-z0-9]{36}"),
  atLeast("infracost-key", "ico-", "[A-Za-z0-9]{32}"),
  exact("pulumi-token", "pul-", "[a-f0-9]{40}"),
  atLeast("vault-token", "hvs. hvb. hvr.", "[\\w-]{20}"),
  exact("vault-token", "s.", "(?=[a-z]*[A-Z0-9])(?=[A-Za-z]*\\d)[A-Za-z0-9]{24}(?!\\.)"),
  atLeast("doppler-token", "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.", "(?:[\\w-]{2,35}\\.)?[A-Za-z0-9]{40}"),
  atLeast("onepassword-token", "ops_eyJ", "[A-Za-z0-9+/=]{40}", "token"),
  exact("onepassword-secret-key", "A3-", "[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}"),
  atLeast("age-secret-key", "AGE-SECRET-KEY- AGE-PLUGIN-", "[A-Z0-9-]{50}"),
  atLeast("tailscale-key", "tskey-", "[a-z]{3,10}-[A-Za-z0-9]{8}"),
  atLeast("openshift-token", "sha256~", "[\\w-]{43}"),
  atLeast("infisical-token", "st.", "[a-f0-9-]{24,36}\\.[a-f0-9]{32}", "dotted"),
  atLeast("deno-deploy-token", "ddp_ ddo_", "[A-Za-z0-9]{30}"),
  atLeast("confluent-key", "cflt", "[A-Za-z0-9+/]{50}", "token"),
  atLeast("vercel-token", "vcp_ vci_ vca_ vcr_ vercel_blob_rw_ vercel_blob_r_", "[A-Za-z0-9_]{24}"),
  {
    ...after("ngrok-token", "add-authtoken", " {1,4}[\"']?", "[\\w-]{20}"),
    reach: { stop: /[\n\r]|^\S+ +\S+\s/, limit: 120 },
  },
  {
    ...after("vault-unseal-key", "operator", ` unseal {1,4}${flags}["']?`, base64Key, "token"),
    reach: { stop: /[\n\r]|^operator(?! ?$| u)/, limit: 500 },
  },
  {
    ...after("vault-unseal-key", "Unseal Recovery unseal", unsealLine, base64Key, "token"),
    reach: { stop: /[\n\r]|^(?:[Uu]nseal|Recovery)(?! ?$| [Kk])/, limit: 140 },
  },
  atLeast(
    "bitwarden-access-token",
    "0.",
    "[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}\\.[A-Za-z0-9]{28,40}(?::[A-Za-z0-9+/]{20})?",
    "token",
  ),
  {
    name: "private-key",
    prefixes: ["LS0tLS1CRUdJTi", "LS0tLS0tLS0tLS1CRUdJTi"],
    lead: "(?=LS0)",
    body: "[A-Za-z0-9+/_-]{60,120}",
    tail: "token",
    isSecret: (secret) => Buffer.from(secret, "base64").includes("PRIVATE KEY"),
  },
  atLeast("steward-token", "stw_", "[\\w-]{43}"),
  atLeast("nostr-secret-key", "nsec1", "[a-z0-9]{58}"),
  atLeast("wallet-extended-key", "xprv tprv zprv", "[A-Za-z0-9]{100}"),
];
