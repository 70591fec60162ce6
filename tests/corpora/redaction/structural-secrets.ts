import { alphabets, randomSource } from "./random-source.ts";

/** A text, the parts of it that are secret, and parts that must still be there. */
export type StructuralSecret = { text: string; secrets: string[]; kept: string[] };

const random = randomSource(77);
const mixed = (length: number) => random.letters(alphabets.mixed, length);
const hex = (length: number) => random.letters(alphabets.hex, length);
const base64 = (length: number) => random.letters(alphabets.base64, length);
const bodyOf = (lines: number) => [...Array.from({ length: lines }, () => base64(64)), `${base64(22)}==`];
const fence = "-----";

export const structuralSecrets: readonly StructuralSecret[] = [
  ...keyBlocks(),
  ...addresses(),
  ...headers(),
  ...assignments(),
  ...commandLines(),
  ...awkwardPlaces(),
];

function around(before: string, secret: string, after = ""): StructuralSecret {
  return { text: `${before}${secret}${after}`, secrets: [secret], kept: [before, after] };
}

function keyBlock(kind: string, lines: string[], join = "\n", block = ""): StructuralSecret {
  const begin = `${fence}BEGIN ${kind}PRIVATE KEY${block}${fence}`;
  const end = `${fence}END ${kind}PRIVATE KEY${block}${fence}`;
  return {
    text: `before\n${[begin, ...lines, end].join(join)}\nafter`,
    secrets: lines,
    kept: ["before\n", begin, end, "\nafter"],
  };
}

function keyBlocks(): StructuralSecret[] {
  const kinds = ["", "RSA ", "EC ", "DSA ", "ENCRYPTED ", "OPENSSH ", "ANY "];
  const puttyLines = [base64(64), base64(64), base64(28)];
  const json = JSON.stringify({ type: "service_account", private_key: keyBlock("", bodyOf(20)).text });
  const cut = [`${fence}BEGIN RSA PRIVATE KEY${fence}`, ...bodyOf(4)];
  return [
    ...kinds.map((kind) => keyBlock(kind, bodyOf(5 + random.below(12)))),
    keyBlock("PGP ", [...bodyOf(9), `=${mixed(4)}`], "\n", " BLOCK"),
    keyBlock("RSA ", ["Proc-Type: 4,ENCRYPTED", `DEK-Info: AES-128-CBC,${hex(32).toUpperCase()}`, ...bodyOf(6)]),
    keyBlock("", bodyOf(8), "\r\n"),
    keyBlock("", bodyOf(8), "\\n"),
    keyBlock("", bodyOf(8), "\\\\n"),
    keyBlock("RSA ", bodyOf(6), "\n    "),
    keyBlock("RSA ", bodyOf(6), "\n+"),
    keyBlock("RSA ", bodyOf(6), "\n> "),
    keyBlock(
      "RSA ",
      Array.from({ length: 5 }, () => base64(64)),
      "\n2026-05-01T12:00:00Z app-1 | ",
    ),
    keyBlock("EC ", bodyOf(2), " "),
    keyBlock("", [base64(1600)], "\n"),
    keyBlock("", bodyOf(6), '\\n" +\n  "'),
    {
      text: `{"key":"${cut.join("\\n")}","level":"info"}`,
      secrets: cut.slice(1),
      kept: ['{"key":"', '","level":"info"}'],
    },
    {
      text: `{"key":"${cut.slice(0, 3).join(" ")}","level":"info"}`,
      secrets: cut.slice(1, 3),
      kept: ['","level":"info"}'],
    },
    { text: json, secrets: structuredLines(json), kept: ["service_account", "before"] },
    { text: `${cut.join("\n")}\n$ echo done`, secrets: cut.slice(1), kept: ["\n$ echo done"] },
    {
      text: `PuTTY-User-Key-File-3: ssh-ed25519\nPrivate-Lines: 3\n${puttyLines.join("\n")}\nPrivate-MAC: ${hex(8)}`,
      secrets: puttyLines,
      kept: ["PuTTY-User-Key-File-3: ssh-ed25519\nPrivate-Lines: 3\n", "\nPrivate-MAC: "],
    },
  ];
}

function structuredLines(json: string): string[] {
  return json.split("\\n").filter((line) => line.length === 64);
}

function addresses(): StructuralSecret[] {
  const password = `${mixed(9)}!${mixed(3)}`;
  const schemes = [
    "postgres",
    "postgresql+asyncpg",
    "mysql",
    "mongodb+srv",
    "redis",
    "amqps",
    "mssql",
    "https",
    "ftp",
    "smtp",
    "mqtt",
  ];
  return [
    ...schemes.map((scheme) => around(`url ${scheme}://app:`, password, "@db.internal:5432/prod?ssl=true end")),
    around("postgres://app:", `pa/ss${mixed(5)}`, "@db:5432/app"),
    around("jdbc:oracle:thin:scott/", `${mixed(8)}1`, "@//db:1521/shop"),
    around("jdbc:mysql://db/shop?user=root&password=", `${mixed(8)}1`),
    {
      text: `https://${hex(32)}:${"5c".repeat(16)}@sentry.example.org/42`,
      secrets: ["5c".repeat(16)],
      kept: ["https://", "@sentry"],
    },
    around("redis://:", mixed(20), "@cache:6379/0"),
    around("DATABASE_URL=postgres://app:", `p@ss${mixed(5)}`, "@db:5432/app"),
    around("postgres://app:", `p#5%2F${mixed(5)}`, "@db:5432/app"),
    around("git clone https://", mixed(24), "@git.example.org/team/repo.git"),
    around('"mysql:\\/\\/root:', mixed(12), '@db\\/shop"'),
    around("dsn: root:", mixed(12), "@tcp(127.0.0.1:3306)/shop"),
    around("db.internal:5432:shop:app:", mixed(14)),
    around("AccountName=shop;AccountKey=", `${base64(85)}/==`, ";EndpointSuffix=core.windows.net"),
    around("Endpoint=sb://bus/;SharedAccessKeyName=all;SharedAccessKey=", `${base64(43)}=`),
    around("Server=db;User Id=sa;Password=", `${mixed(10)}!`, ";Encrypt=true"),
    around("host=db user=app password=", mixed(11), " dbname=shop"),
    around("https://x.blob.core.windows.net/c?sv=2022&sig=", `${mixed(40)}%3D`, "&se=2030"),
    around("https://api.example.org/me?access_token=", mixed(30), "&page=2"),
    around("https://b.s3.amazonaws.com/k?X-Amz-Expires=60&X-Amz-Signature=", hex(64)),
    around("#state=1&id_token=", mixed(40), "&expires_in=3600"),
  ];
}

function headers(): StructuralSecret[] {
  const session = hex(24);
  return [
    around("Authorization: Bearer ", mixed(24), "\nAccept: */*"),
    around("authorization: Token ", mixed(24)),
    around("curl -H 'Authorization: ApiKey ", mixed(24), "' https://api.example.org"),
    around('{"Authorization":"Basic ', Buffer.from("someone:something-7").toString("base64"), '"}'),
    around("Proxy-Authorization: Basic ", Buffer.from("proxy:Wonder-4").toString("base64"), "\r\nHost: x"),
    around("Authorization: ", mixed(32)),
    around("X-Api-Key: ", mixed(28), "\nX-Request-Id: 7"),
    around("x-auth-token: ", hex(32)),
    around("Ocp-Apim-Subscription-Key: ", hex(32)),
    around("X-Vault-Token: ", mixed(26)),
    around("Set-Cookie: connect.sid=", `s%3A${mixed(32)}.${mixed(20)}`, "; Path=/; HttpOnly"),
    {
      text: `Cookie: theme=dark; sessionid=${session}; csrftoken=${session}Q; lang=en`,
      secrets: [session],
      kept: ["Cookie: theme=dark; sessionid=", "; csrftoken=", "; lang=en"],
    },
    around('{"cookie":"PHPSESSID=', hex(26), '; theme=light"}'),
    around("curl --cookie 'SID=", mixed(40), "' https://example.org"),
  ];
}

function assignments(): StructuralSecret[] {
  const accessKey = `AK${"IA"}${random.letters(alphabets.upper, 16)}`;
  const secretKey = `${base64(39)}Z`;
  return [
    {
      text: `id,secret\n${accessKey},${secretKey}\n`,
      secrets: [accessKey, secretKey],
      kept: ["id,secret\n", ",", "\n"],
    },
    around('api_key = "', mixed(32), '"'),
    around("PASSWORD=", "hunter2"),
    around("DB_PASSWORD=", "swordfish", "\nDB_USER=me"),
    around("DOCKER_PASSWORD=", "correct-horse-battery-staple"),
    around("Password: ", `Tr${mixed(5)}1&3`),
    around('password: "', `$${mixed(7)}1`, '"'),
    around("password: ", `$2b$10$${mixed(53)}`),
    around("secret = b'", mixed(20), "'"),
    around("apikey: ", `${hex(8)}-${hex(4)}-${hex(4)}-${hex(4)}-${hex(12)}`),
    around("auth_token=", "deadbeef".repeat(4)),
    around("recovery code: ", "4F7K-9Q2M-7C31"),
    around('psk="', `${mixed(8)}9!`, '"'),
    around("DB_PASS=", `${mixed(8)},;&${mixed(4)}`, "\nDB_HOST=db"),
    around("export MYSQL_ROOT_PASSWORD='", `it is ${mixed(9)}1x`, "'"),
    around('{"secret": "', mixed(20), '", "id": 4}'),
    around('{"client_secret":"', `${hex(8)}-${hex(4)}-${hex(4)}-${hex(4)}-${hex(12)}`, '"}'),
    around('{\\"password\\":\\"', `${mixed(9)}7`, '\\",\\"user\\":\\"me\\"}'),
    around('{"password":"', `ab\\"cd${mixed(6)}9`, '","user":"me"}'),
    around("password: ", `${mixed(6)}9${mixed(5)}!`, "\nuser: me"),
    around("  db_password: ", "hunter2", "\n"),
    around("smtpPass: '", `${mixed(9)}0`, "',"),
    around("apiToken := `", hex(40), "`"),
    around("'encryption_key' => '", base64(43), "',"),
    around("spring.datasource.password=", `${mixed(9)}5`),
    around("os.environ['STRIPE_SECRET'] = '", mixed(24), "'"),
    around("PrivateKey = ", `${base64(42)}9=`, "\nAddress = 10.0.0.1/24"),
    around("aws_secret_access_key = ", `${mixed(38)}/7`),
    around("AWS_SESSION_TOKEN=", base64(700), "\nNEXT=1"),
    around("<password>", `${mixed(9)}5`, "</password>"),
    around("<key>API_KEY</key>\n  <string>", mixed(30), "</string>"),
    around("- name: DB_PASSWORD\n  value: ", `${mixed(9)}6`, "\n- name: PORT"),
    around('{"name":"API_TOKEN","value":"', hex(32), '"}'),
    around('<add key="ApiSecret" value="', mixed(22), '"/>'),
    around("&quot;password&quot;:&quot;", `${mixed(9)}4`, "&quot;"),
    around("API key: ", mixed(32)),
    around("secret_key_base: ", hex(128)),
    around("//registry.example.org/:_authToken=", mixed(36)),
    around("//registry.example.org/:_auth=", Buffer.from("someone:somewhere").toString("base64")),
    around('{"auths":{"ghcr.io":{"auth":"', Buffer.from("me:notebook").toString("base64"), '"}}}'),
    around("DATADOG_API_KEY=", hex(32)),
    around("TWILIO_AUTH_TOKEN=", hex(32)),
    around('google_app_password = "', "qwjk zxcv bnmp lkjh", '"'),
    around("WP_AUTH_SALT='", `${mixed(30)}`, "'"),
    around('{"kty":"OKP","d":"', random.letters(alphabets.url, 43), '"}'),
  ];
}

function commandLines(): StructuralSecret[] {
  return [
    around("tool login --token ", mixed(20), " --verbose"),
    around("tool --password ", `${mixed(8)}1!`, " --user me"),
    around("tool --api-key='", mixed(24), "'"),
    around("tool --client-secret=", mixed(24)),
    around("kubeadm join 10.0.0.1:6443 --token ", "abcdef.0123456789abcdef"),
    around("redis-cli -a ", `${mixed(8)}1`, " ping"),
    around("curl -u me:", `${mixed(8)}1`, " https://example.org"),
    around("mysql -u root -p", `${mixed(8)}1`, " shop"),
    around("docker run -e POSTGRES_PASSWORD=", `${mixed(8)}1`, " postgres:16"),
    around("tool --passphrase '", `${mixed(8)}1`, "'"),
  ];
}

function awkwardPlaces(): StructuralSecret[] {
  const token = `gh${"p"}_${mixed(36)}`;
  const second = `npm_${mixed(36)}`;
  const places: [string, string][] = [
    ["\u001b[31m", "\u001b[0m"],
    ["\\u001b[1;32m", "\\u001b[0m"],
    ["`", "`"],
    ["**", "**"],
    ["<code>", "</code>"],
    ['<a href="https://x/', '">'],
    ["(", ")"],
    ["line\\n", "\\tend"],
    ["%22", "%22"],
    ["a=1&t=", "&b=2"],
    ["ключ:", "。"],
    ["|", "|"],
  ];
  return [
    ...places.map(([before, after]) => around(before, token, after)),
    { text: `${token} ${second},${token}`, secrets: [token, second], kept: [" ", ","] },
    {
      text: `password=\u001b[32m${second.slice(4)}\u001b[0m end`,
      secrets: [second.slice(4)],
      kept: ["password=", " end"],
    },
    { text: `\u001b[36mpassword\u001b[0m=${second.slice(4)} end`, secrets: [second.slice(4)], kept: [" end"] },
  ];
}
