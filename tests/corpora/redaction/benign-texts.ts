import { alphabets, randomSource } from "./random-source.ts";

const random = randomSource(4242);
const hex = (length: number) => random.letters(alphabets.hex, length);
const base64 = (length: number) => random.letters(alphabets.base64, length);
const mixed = (length: number) => random.letters(alphabets.mixed, length);
const uuid = () => [8, 4, 4, 4, 12].map(hex).join("-");
const fence = "-----";
const variable = (name: string) => `$\{${name}}`;

/** Texts that look like they might hold a secret, and hold none. */
export const benignTexts: readonly string[] = [
  ...identifiers(),
  ...placeholders(),
  ...code(),
  ...lockFiles(),
  ...prose(),
  ...publicMaterial(),
  ...machineOutput(),
];

function identifiers(): string[] {
  return [
    `request ${uuid()} took 12 ms`,
    `commit ${hex(40)}`,
    `${hex(7)}..${hex(7)} main -> main`,
    `sha256:${hex(64)}`,
    `Digest: sha256:${hex(64)}\nStatus: Downloaded newer image for node:26`,
    `${hex(32)}  archive.tar.gz\n${hex(64)}  other.zip`,
    `01J9ZK3V7Q8M2X4N6P0R5T1W3Y`,
    `etag: "${hex(32)}"`,
    `docker pull registry.example.org/app@sha256:${hex(64)}`,
    `a_very_long_identifier_that_goes_on_and_on_for_more_than_eighty_characters_in_total = 1`,
    `com.example.application.configuration.AbstractSingletonProxyFactoryBeanConfigurationProvider`,
    `traceparent: 00-${hex(32)}-${hex(16)}-01`,
    `session ${uuid()} opened, correlation_id=${uuid()}`,
    `index ${hex(7)}..${hex(7)} 100644`,
    `ETag: W/"${hex(10)}-${hex(12)}"`,
    `object id 507f1f77bcf86cd799439011`,
  ];
}

function placeholders(): string[] {
  return [
    'password = "changeme"',
    "token: <your token>",
    `API_KEY=${variable("API_KEY")}`,
    "PASSWORD=$PASSWORD",
    "password: {{ vault_password }}",
    'api_key = "your-api-key-here"',
    "SECRET_KEY=xxxxxxxxxxxxxxxxxxxxxxxx",
    "export OPENAI_API_KEY=sk-...",
    `export ANTHROPIC_API_KEY=sk-ant-${"x".repeat(24)}`,
    "GITHUB_TOKEN=ghp_your_token_here_please_replace_it_now",
    "ANTHROPIC_API_KEY=sk-ant-api03-...",
    `key="${fence}BEGIN PRIVATE KEY${fence}\\nXXXX\\nXXXX\\n${fence}END PRIVATE KEY${fence}"`,
    "&lt;protocol&gt;://[&lt;user&gt;[:&lt;password&gt;]@]&lt;hostname&gt;",
    "token: ********",
    'password: "********"',
    "--token <token>",
    "--password $(cat /run/secrets/db)",
    "password=<redacted>",
    "postgres://user:password@localhost:5432/db",
    "postgres://postgres:postgres@localhost/test",
    `mysql://${variable("DB_USER")}:${variable("DB_PASSWORD")}@db/app`,
    "https://<user>:<token>@github.com/org/repo.git",
    "Authorization: Bearer <token>",
    "Authorization: Bearer $TOKEN",
    `curl -H "Authorization: Bearer ${variable("TOKEN")}" https://example.org`,
    'secret: "example-secret"',
    "password: null",
    "token: undefined",
    "client_secret=YOUR_CLIENT_SECRET",
    "db_password: !vault |",
    "password: ENC[AES256_GCM,data:abc]",
    "token = op://vault/item/field1",
    "Cookie: <cookie>",
    "Set-Cookie: lang=en; Path=/; Max-Age=3600",
  ];
}

function code(): string[] {
  return [
    "const password = readPassword()",
    "const apiKey = process.env.API_KEY;",
    'token = os.environ["TOKEN"]',
    "const token = await getToken(user, 3600);",
    "password: string;\n  token?: string | undefined;",
    "fn login(password: &str, token: Option<String>) -> Result<(), Error2>",
    "if (password.length < 8) throw new Error('Password must be at least 8 characters')",
    "this.accessToken = response.data.accessToken;",
    "const { token, secret } = config;",
    'headers.set("Authorization", "Bearer " + token);',
    "let secretKey = deriveKey(password, salt, 100000);",
    "password = hashlib.sha256(data).hexdigest()",
    '<input type="password" name="password" autocomplete="current-password">',
    'label: { password: "Enter your password", token: "Paste the token" }',
    "const keyPattern = /sk-[a-zA-Z0-9]{48}/;",
    "type Token = { kind: TokenKind; text: string };",
    "while ((token = lexer.nextToken2()) !== EOF) parse(token);",
    ".sk-folding-cube .sk-cube2:before { animation-delay: 0.3s; transform: rotateZ(90deg) }",
    ":root { --token-color: #ff00aa; --key-width: 12px }",
    "!function(e,t){var n=e.token||t.key,r=function(o){return o?n[o]:r};e.secret=r}(window,{key:1});",
    "for (const [key, value] of Object.entries(tokens)) map.set(key, value);",
    "password=self.password, token=self.token1",
    "max_tokens: 4096\ntemperature: 0.7",
    'usage: {"input_tokens": 1234, "output_tokens": 5678, "total_tokens": 6912}',
    "SELECT id, password_hash FROM users WHERE token IS NULL",
    "import { createSecretKey, randomBytes } from 'node:crypto';",
    "assert token == expected_token_v2",
    "$PROXY_PASSWORD = $Config->{proxy_pass} || '';",
    "napi_writable | napi_configurable, napi_default_method",
    "authorization = base64.decodebytes(authorization).split(':')",
    "return f'machine {host} login {self.username} password {self.password}'",
    "'Test2::Event::Pass' => '1.302103',",
    '"fs-minipass": "^3.0.0", "minipass": "^7.0.4"',
    "use the --username and --password options instead of the URL",
    "secretName: my-app-secret-v2\nsecretKeyRef:\n  name: db-credentials\n  key: password",
    "password: z.string().min(8).max(128),\ntoken: z.string().regex(/^[a-f0-9]{64}$/)",
    `const url = \`https://${variable("user")}:${variable("password")}@${variable("host")}\`;`,
    '"nextToken": "CAESBgoEMTIz", "cacheKey": "user-42-v3"',
  ];
}

function lockFiles(): string[] {
  return [
    `"integrity": "sha512-${base64(86)}=="`,
    `"node_modules/jsonwebtoken": { "version": "9.0.2", "resolved": "https://registry.example.org/jsonwebtoken-9.0.2.tgz" }`,
    '"dependencies": { "jsonwebtoken": "^9.0.0", "js-tokens": "^4.0.0", "csrf-token": "~1.2.3" }',
    `golang.org/x/crypto v0.17.0 h1:${base64(43)}=`,
    `checksum = "${hex(64)}"`,
    `{file = "x-1.0-py3-none-any.whl", hash = "sha256:${hex(64)}"},`,
    `resolution: {integrity: sha512-${base64(86)}==}`,
    `"reference": "${hex(40)}", "shasum": "${hex(40)}"`,
    `<script src="x.js" integrity="sha384-${base64(64)}" crossorigin="anonymous"></script>`,
  ];
}

function prose(): string[] {
  return [
    "Basic authentication sends a password; bearer tokens are better than basic credentials.",
    "Please enter your password: it must contain 8-20 characters, one digit and a symbol.",
    "The bearer of this letter may pass. The key is under the mat, and the secret is patience.",
    "Token: a unit of text. Secret: base64-encoded string. Key: value pairs.",
    "Mail me at someone99@example.org or call +43 1 234 5678 before 12:30:45.",
    "The password is required and the token is invalid or has expired.",
    "Passwort vergessen? Das Kennwort muss mindestens 8 Zeichen lang sein: drei Wörter genügen.",
    "パスワード: 半角英数字8文字以上 — 絵文字 🙂👍🏽 も使えます",
    "Meet at http://localhost:3000/login?next=/home@work or https://example.org:8443/a:b@c",
    "Price: 1,299.00 EUR = 1.4 × 10^3; ratio 3:2; see https://example.org/a?b=c&d=e#f",
    "ssh git@github.com:org/repo.git and npm:left-pad@1.3.0 and user@host:/path/to/file1",
  ];
}

function publicMaterial(): string[] {
  const certificate = [`${fence}BEGIN CERTIFICATE${fence}`, base64(64), base64(64), `${fence}END CERTIFICATE${fence}`];
  const publicKey = [`${fence}BEGIN PUBLIC KEY${fence}`, base64(64), base64(40), `${fence}END PUBLIC KEY${fence}`];
  return [
    certificate.join("\n"),
    publicKey.join("\n"),
    `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${mixed(43)} me@laptop`,
    `data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAA${base64(2000)}==`,
    `background: url(data:image/svg+xml;base64,${base64(600)})`,
    `//# sourceMappingURL=data:application/json;base64,eyJ2ZXJzaW9uIjoz${mixed(400)}`,
    `The file starts with ${fence}BEGIN RSA PRIVATE KEY${fence} and ends with a matching line.`,
    `if (text.startsWith("${fence}BEGIN PRIVATE KEY${fence}")) return "private";`,
    `pk_${"live"}_${mixed(24)} is the publishable key`,
    `public_key: ${base64(43)}=`,
    `SHA256:${base64(43)} me@laptop (ED25519)`,
  ];
}

function machineOutput(): string[] {
  return [
    "drwxr-xr-x  12 me  staff   384 May  1 12:00 node_modules",
    '127.0.0.1 - - [01/May/2024:12:00:00 +0000] "GET /token?page=2 HTTP/1.1" 200 1234 "-" "Mozilla/5.0"',
    "\u001b[32m✓\u001b[0m src/token.test.ts (12 tests) \u001b[90m34ms\u001b[39m",
    "Error: connect ECONNREFUSED 127.0.0.1:5432\n    at TCPConnectWrap.afterConnect (node:net:1555:16)",
    '{"level":30,"time":1714560000000,"pid":4242,"hostname":"box","msg":"token refreshed","expires_in":3600}',
    "password updated successfully; token=expired; secret=missing",
    "C:\\Users\\me\\AppData\\Local\\Temp\\token\\new\\readme.txt",
    "docker run --user 1000:1000 -p 8080:80 -u 1000:1000 --secret id=npm,src=/root/.npmrc image:tag",
    "mkdir -p src/password && mysql -u root -p shop < dump.sql",
    "+ token: string\n- token: number\n@@ -12,7 +12,9 @@ export function login(password: string) {",
    "0x7ffee4c0a8b0 <main+32>: mov %rax,%rbx   # 0x100003f50",
    `at 0x${hex(40)} (tx 0x${hex(64)})`,
    "key=value; theme=dark; auth=none; pass=1; pwd=/home/me/project; token_type=bearer",
  ];
}
