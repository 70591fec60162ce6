import { alphabets, randomSource } from "./random-source.ts";
import type { StructuralSecret } from "./structural-secrets.ts";

const random = randomSource(606);
const mixed = (length: number) => random.letters(alphabets.mixed, length);
const hex = (length: number) => random.letters(alphabets.hex, length);
const url = (length: number) => random.letters(alphabets.url, length);
const base64 = (length: number) => random.letters(alphabets.base64, length);
const base32 = (length: number) => random.letters("abcdefghijklmnopqrstuvwxyz234567", length);
const uuid = () => [8, 4, 4, 4, 12].map(hex).join("-");
const zeroWidth = "\u200b";
const red = "\u001b[31m";
const plain = "\u001b[0m";

/** Keys of programs and services that are known by what stands around them, and tokens with something invisible inside. */
export const machineSecrets: readonly StructuralSecret[] = [
  ...kubernetes(),
  ...azure(),
  ...vaults(),
  ...services(),
  ...withSomethingInvisible(),
];

function around(before: string, secret: string, after = ""): StructuralSecret {
  return { text: `${before}${secret}${after}`, secrets: [secret], kept: [before, after] };
}

function kubernetes(): StructuralSecret[] {
  const pem = Buffer.from(`-----BEGIN RSA PRIVATE KEY-----\n${base64(64)}\n${base64(64)}\n`).toString("base64");
  return [
    around("    client-key-data: ", pem, "\n"),
    around("    client-certificate-data: ", `LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t${mixed(900)}`, "\n"),
    around('{"user":{"client-key-data":"', pem, '"}}'),
    around("users:\n- name: me\n  user:\n    token: ", mixed(40), "\n"),
    around("  tls.key: ", pem, "\n"),
    around("echo ", pem, " | base64 -d"),
  ];
}

function azure(): StructuralSecret[] {
  return [
    around("https://shop.azurewebsites.net/api/pay?code=", `${url(54)}==`),
    around("https://shop.azurewebsites.net/api/pay?id=3&code=", `${base64(54).replaceAll("+", "%2B")}%3D%3D`, "&x=1"),
    around("x-functions-key: ", `${url(44)}AzFu${url(5)}Q==`, "\n"),
    around('{"masterKey":{"name":"master","value":"', `${url(44)}AzFu${url(5)}A==`, '"}}'),
    around("AZURE_DEVOPS_EXT_PAT=", base32(52)),
    around("pat: ", base32(52), "\n"),
    around("git clone https://me:", base32(52), "@dev.azure.com/org/p/_git/r"),
    around("use ", `${base32(26)}7${base32(25)}`, " for the build"),
    around("AZURE_DEVOPS_EXT_PAT=", `${mixed(76)}AZDO${mixed(4)}`),
    around("http://127.0.0.1:18789/#code=", url(22), "\n"),
    around("Open http://127.0.0.1:18789/#code=", `-${url(20)}_`, " in a browser"),
  ];
}

function vaults(): StructuralSecret[] {
  const keys = [`${base64(43)}=`, `${base64(43)}=`, hex(66)];
  return [
    around("Unseal Key 1: ", `${base64(42)}7=`, "\nUnseal Key 2: "),
    around("Recovery Key 3: ", `7${base64(43)}`, "\n"),
    around("Unseal Key (will be hidden): ", hex(66), "\n"),
    around("vault operator unseal ", `${base64(42)}3=`),
    around("vault operator unseal -address=https://vault:8200 '", `${base64(42)}3=`, "'"),
    {
      text: JSON.stringify({ unseal_keys_b64: keys, threshold: 2 }),
      secrets: keys,
      kept: ["unseal_keys_b64", '"threshold":2}'],
    },
    {
      text: JSON.stringify({ unseal_keys_b64: keys, threshold: 2 }, null, 2),
      secrets: keys,
      kept: ["unseal_keys_b64", '"threshold": 2'],
    },
    {
      text: `unseal_keys_hex:\n- ${hex(66)}\n- ${"4d".repeat(33)}\nshares: 2`,
      secrets: ["4d".repeat(33)],
      kept: ["unseal_keys_hex:\n- ", "\nshares: 2"],
    },
    around("Initial Root Token: ", `hvs.${mixed(24)}`, "\n"),
    around('export BW_SESSION="', `${base64(86)}==`, '"'),
    around("BW_CLIENTSECRET=", mixed(30), "\n"),
    around("bw list items --session ", `${base64(86)}==`),
    around("BWS_ACCESS_TOKEN=", `0.${uuid()}.${mixed(30)}:${base64(22)}==`),
    around("bws run -t ", `0.${uuid()}.${mixed(30)}:${base64(22)}==`),
  ];
}

function services(): StructuralSecret[] {
  return [
    around("Authorization: SSWS ", `00${url(40)}`),
    around('curl -H "Authorization: SSWS ', `00${url(40)}`, '" https://org.okta.com'),
    around("the header SSWS ", `00${url(40)}`, " opens it"),
    around("WANDB_API_KEY=", hex(40)),
    around("wandb login ", hex(40)),
    around("wandb login --relogin ", hex(40), "\n"),
    around("machine api.wandb.ai\n  login user\n  password ", hex(40), "\n"),
    around("key ", `wandb_v1_${mixed(60)}`),
    around("VERCEL_TOKEN=", mixed(24)),
    around("vercel deploy --token ", mixed(24), " --prod"),
    around("vercel deploy -t ", mixed(24), " --prod"),
    around("BLOB_READ_WRITE_TOKEN=", `vercel_blob_rw_${mixed(16)}_${mixed(31)}`),
    around("x-vercel-protection-bypass: ", mixed(32), "\n"),
    around("token ", `vcp_${mixed(56)}`),
    around("ngrok config add-authtoken ", `2${mixed(26)}_${mixed(20)}4`),
    around("authtoken: ", `2${mixed(26)}_${mixed(20)}4`, "\n"),
    around("NGROK_AUTHTOKEN=", `2${mixed(26)}_${mixed(20)}4`),
    around("use ", `2${mixed(26)}_${mixed(20)}4`, " there"),
  ];
}

function withSomethingInvisible(): StructuralSecret[] {
  const github = () => `gh${"p"}_${mixed(36)}`;
  const broken = (between: string, at = 12) => {
    const token = github();
    return {
      text: `use ${token.slice(0, at)}${between}${token.slice(at)} now`,
      secrets: [token.slice(Math.max(5, at))],
      kept: ["use ", " now"],
    };
  };
  return [
    ...[
      zeroWidth,
      "\u200d",
      "\u2060",
      "\ufeff",
      "\u00ad",
      "\u034f",
      "\ufe0f",
      "\u202e",
      red,
      plain,
      `${red}${zeroWidth}`,
    ].map((between) => broken(between)),
    ...["\\u200b", "\\u001b[31m", "\\x1b[0m", "\\033[1;31m", "\\e[0m", "&#8203;", "&shy;", "\u001b]8;;\u0007"].map(
      (between) => broken(between),
    ),
    broken(zeroWidth, 2),
    broken(red, 3),
    around("password=", `mar${zeroWidth}ma${red}lade`),
    around("password: ", `mar${zeroWidth}malade`, "\n"),
    around('{"password":"', `hun${zeroWidth}ter${zeroWidth}seven`, '"}'),
    around(`pass${zeroWidth}word=`, "marmalade"),
    around("export API_TOKEN=", `${mixed(10)}${red}${mixed(14)}7`, "\n"),
  ];
}
