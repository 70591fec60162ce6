import { alphabets, randomSource } from "./random-source.ts";

const random = randomSource(808);
const hex = (length: number) => random.letters(alphabets.hex, length);
const base64 = (length: number) => random.letters(alphabets.base64, length);
const uuid = () => [8, 4, 4, 4, 12].map(hex).join("-");
const variable = (name: string) => `$\{${name}}`;

/** Texts without a secret that come as near as can be to the ones in `written-down-secrets` and `machine-secrets`. */
export const benignLookalikes: readonly string[] = [
  ...prose(),
  ...forms(),
  ...code(),
  ...words(),
  ...identifiers(),
  ...invisible(),
];

function prose(): string[] {
  return [
    "the password is required",
    "Passwort vergessen?",
    "Mot de passe oublié ? Cliquez ici.",
    "¿Olvidaste tu contraseña? Escríbenos.",
    "Esqueceu a senha? Fale connosco.",
    "Забыли пароль? Напишите нам.",
    "忘记密码？请联系管理员。",
    "パスワードを忘れた場合：管理者に連絡してください",
    "A good password: something\nthat only you know and nobody guesses.",
    "Never share your password: nobody\nneeds it but you.",
    "There are three rules for a password: length, length and length.",
    "The seed phrase must be written down on paper and kept where nobody else can find or read it.",
    "A mnemonic phrase helps people remember long lists; the twelve words are read aloud each morning.",
    "Recovery words are chosen from a list of two thousand words, which every wallet knows by heart.",
    "Your app password must have more than four words.",
    "App passwords: they were made only once, and you can take them back.",
    "The unseal key is split into five shares, three of which are needed.",
    "Okta calls the scheme SSWS and expects a token after it.",
    "wandb login asks for a key and keeps it in your home.",
    "Basic facts: $5 a month, $6 for two, 5$ per seat, y$ is nothing.",
    "Private key: a number that only you know. Public key: its partner.",
    "WIFI: the password is on the fridge; S: for small, P: for parking.",
    "Mix 250 g flour, 2 eggs and 100 ml milk; rest 20 minutes; bake at 180 degrees.",
    "ISBN 978-3-16-148410-0, page 42, 2nd edition",
    "Sing a song about the sun and moon, about love and time, light and shadow.",
    "river stone morning light garden window silver shadow winter summer autumn spring",
    "Hash functions such as $6$ are named in crypt(5).",
    "La parola: un insieme di suoni che ha un senso.",
    "Das Kennwort: mindestens zwölf Zeichen, besser mehr.",
    "Password: at least twelve characters",
    "New password: (leave empty to keep it)",
  ];
}

function forms(): string[] {
  return [
    "password: optional",
    "password: required",
    "Password: hidden",
    "Passwort: erforderlich",
    "Mot de passe : obligatoire",
    "contraseña: requerida",
    "password: string",
    "password: SecretStr",
    "passwd: files systemd",
    "passwd: compat",
    "me ALL=(ALL) NOPASSWD: ALL",
    '{"password":"Passwort","login":"Anmelden"}',
    '{"password":"Contraseña"}',
    '{"errors":{"password":"invalid"}}',
    '"password": "Mot de passe"',
    "<input type=password>",
    "<input type=password name=password placeholder=Passwort>",
    '<label for="password">Passwort:</label>',
    "password: |\n  Enter the password that was sent to you\n",
    "password:\n  type: string\n  format: password\n",
    "password: >\n  {{ vault_password }}\n",
    "tokens: []\npasswords: [string]\n",
    "passwords: ['required', 'optional']",
    "https://example.org/pay?code=404&currency=EUR",
    "https://example.org/?code=en-US#code=blocks",
    "exit code=137, status code: 200",
    "--password=PASSWORD, --password=FILE",
    "PASSWORD=prompt",
    "pwd=/home/me",
    "pass=true fail=false",
  ];
}

function code(): string[] {
  return [
    "password = getPassword()",
    "password = entered;",
    "    password = entered\n",
    "connect(user=name, password=entered)",
    "connect(\n    user=name,\n    password=entered,\n)",
    "const user = { name, password: entered, role };",
    "  user: name,\n  password: entered,\n",
    "this.password = password;",
    "password: userPassword\n",
    "if password == expected: pass",
    "if (password === hidden) return;",
    "let pwd := current",
    "function login(password: Password, contraseña: string) {}",
    `password: ${variable("DB_PASSWORD")}`,
    "password: $(cat file)",
    "echo $1 $2 $6 $y",
    "awk '{print $1$2$6}'",
    "const privateKey = crypto.generateKeyPairSync('ed25519').privateKey;",
    "private_key: /etc/ssl/private/server.key",
    "client-key: /home/me/.minikube/client.key\nclient-certificate: /home/me/.minikube/client.crt",
    `certificate-authority-data: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t${base64(80)}`,
    'const hint = "WIFI:T:WPA;S:name;P:password;;";',
    "format: WIFI:T:<type>;S:<name>;P:<password>;;",
    "mnemonic: string\nseed: 42\nseedPhrase?: string",
    "torch.manual_seed(1234); seed=20260501",
    "BW_SESSION=$(bw unlock --raw)",
    "vault operator unseal $KEY",
    "export WANDB_API_KEY=$(pass show wandb)",
    "ngrok config add-authtoken $NGROK_AUTHTOKEN",
    "matches /^\\$2[aby]\\$\\d\\d\\$[.\\/A-Za-z0-9]{53}$/",
  ];
}

function words(): string[] {
  return [
    "keywords: alpha beta gamma delta epsilon zeta kappa lambda sigma omega theta sigma",
    "seed catalogue: tomato, carrot, onion, garlic, pepper, pumpkin, melon, lettuce",
    "backup words to look up: canyon, velvet, ladder",
    "the list of secret words is long and the players guess them one after another until they are done",
  ];
}

function identifiers(): string[] {
  return [
    `trace ${uuid()} and ${hex(40)} and ${hex(64)}`,
    `block 0x${hex(64)} was mined`,
    `public key ${hex(64)}`,
    `sha256 ${hex(64)}  private.tar`,
    `nix store 0c1xyz9p8s0${"8q1w".repeat(10)}0`,
    `http://${"abcdefghijklmnopqrstuvwxyz".repeat(2)}.onion`,
    `data:image/png;base64,iVBORw0KGgo${base64(400)}=`,
    `"integrity": "sha512-${base64(86)}=="`,
    `magic 2${"A".repeat(26)} and a_${"b".repeat(20)}`,
    "version 0.1.2-rc.3+build.45, 0.30000000000000004",
  ];
}

function invisible(): string[] {
  return [
    "\u001b[32mpassing\u001b[0m \u001b[31mfailing\u001b[0m tests/token.test.ts",
    "soft\u00adhy\u00adphen\u00ada\u00adtion and zero\u200bwidth",
    "👩‍👩‍👧‍👦 family, 🏳️‍🌈 flag, ❤️ heart",
    "\ufeffname,value\r\nkey,1\r\n",
    "می‌خواهم نامه‌ای بنویسم",
    "\u001b[1mtoken\u001b[0m: \u001b[36mstring\u001b[0m",
    "क्‍ष and न्‌",
    "printf '\\033[31m%s\\033[0m' \"$password\"",
  ];
}
