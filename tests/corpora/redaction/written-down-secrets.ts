import { alphabets, randomSource } from "./random-source.ts";
import type { StructuralSecret } from "./structural-secrets.ts";

const random = randomSource(909);
const hex = (length: number) => random.letters(alphabets.hex, length);
const words = (count: number) => seedWords.slice(0, count).join(" ");
const seedWords =
  "orbit velvet canyon ladder mimic tobacco fringe walnut erupt pottery quiz jaguar siren gospel bamboo lunar thrive kiwi ozone dwarf unveil raven clog mosquito".split(
    " ",
  );

/** What people write in mails, notes and files of settings, in their own language. */
export const writtenDownSecrets: readonly StructuralSecret[] = [
  ...wordsAfterName(),
  ...namesInOtherLanguages(),
  ...wifiCodes(),
  ...appPasswords(),
  ...seedPhrases(),
  ...hexadecimalKeys(),
  ...passwordHashes(),
  ...blocksAndLists(),
];

function around(before: string, secret: string, after = ""): StructuralSecret {
  return { text: `${before}${secret}${after}`, secrets: [secret], kept: [before, after] };
}

function wordsAfterName(): StructuralSecret[] {
  return [
    around("password=", "moonlight"),
    around("password=", "Sesamstrasse", "\nuser=me"),
    around("https://example.org/login?user=me&password=", "butterblume", "&next=/"),
    around("Server=db;User Id=sa;Password=", "moonlight", ";Encrypt=true"),
    around("host=db user=app password=", "cornflower", " dbname=shop"),
    around("user=me, password=", "cornflower", ", host=db"),
    around('{"user":"me","password":"', "cornflower", '"}'),
    around('{\\"password\\": \\"', "cornflower", '\\"}'),
    around("Password: ", "moonlight"),
    around("password: ", "moonlight", "\nport: 5432"),
    around("  password: ", "moonlight", " # rotate in May\n"),
    around("db:\n  user: me\n  passwd: '", "kittycat", "'\n"),
    around("[client]\nuser = root\npassword = ", "marmalade", "\n"),
    around("pwd=", "tulip", ";database=shop"),
    around("$ export DB_PASSWORD=", "blue", "\n"),
    around("user: me, pass: ", "marmalade", "\n"),
    around("**Password:** ", "marmalade", "\n"),
    around("**Password**: `", "marmalade", "`\n"),
    around("| Password: ", "marmalade", " |"),
    around("WLAN password: ", "Sonnenblume"),
    around("The password is: ", "marmalade"),
    around("<password>", "marmalade", "</password>"),
    around('<add key="DbPassword" value="', "marmalade", '"/>'),
    around("tool --password=", "marmalade", " --user me"),
    around("- name: DB_PASSWORD\n  value: ", "marmalade", "\n- name: PORT"),
    around("login: me\nPassword: ", "señorita", "\n"),
    around("PASSWORD=", "marmalade"),
    around("old_password: '", "marmalade", "'"),
  ];
}

function namesInOtherLanguages(): StructuralSecret[] {
  return [
    around("Benutzer: ich\nPasswort: ", "Sommerregen", "\n"),
    around("Passwort=", "Sommerregen"),
    around("Kennwort : ", "Sommerregen", "\n"),
    around("db_passwort: ", "Winter2031", "\n"),
    around("contraseña: ", "mariposa", "\n"),
    around("Contraseña=", "mariposa"),
    around("contrase\u006e\u0303a: ", "mariposa", "\n"),
    around('{"contraseña":"', "mariposa", '"}'),
    around("mot de passe : ", "soleil", "\n"),
    around("Mot de passe\u00a0: ", "tournesol", "\n"),
    around("mdp=", "tournesol"),
    around("senha: ", "girassol", "\n"),
    around("palavra-passe: ", "girassol"),
    around("wachtwoord: ", "zonnebloem", "\n"),
    around("hasło: ", "truskawka", "\n"),
    around("haslo=", "truskawka"),
    around("heslo: ", "jahoda", "\n"),
    around("lösenord: ", "blåbär", "\n"),
    around("adgangskode: ", "solsikke", "\n"),
    around("salasana: ", "auringonkukka", "\n"),
    around("şifre: ", "papatya", "\n"),
    around("jelszó: ", "napraforgo", "\n"),
    around("пароль: ", "подсолнух", "\n"),
    around("Пароль=", "solnyshko7"),
    around("密码：", "sunflower", "\n"),
    around("密码: ", "Xiangrikui", "\n"),
    around("パスワード：", "himawari88", "\n"),
    around("비밀번호: ", "haebaragi", "\n"),
    around("mật khẩu: ", "huongduong", "\n"),
    around("kata sandi: ", "matahari", "\n"),
    around("κωδικός: ", "iliotropio", "\n"),
  ];
}

function wifiCodes(): StructuralSecret[] {
  return [
    around("WIFI:T:WPA;S:home net;P:", "marmalade", ";;"),
    around("WIFI:S:home;T:WPA;P:", "Blue Velvet 9", ";H:true;;"),
    around("WIFI:P:", "s3cr\\;et\\:wo\\\\ld", ";S:home;T:WPA;;"),
    around('"WIFI:T:WPA2;S:caf\\\\;e;P:', "marmalade", ';;"'),
    around("<img alt='WIFI:S:x;P:", "marmalade", ";;'>"),
    { text: 'WIFI:S:x;P:"deadbeefcafe";;', secrets: ["deadbeefcafe"], kept: ["WIFI:S:x;P:", ";;"] },
  ];
}

function appPasswords(): StructuralSecret[] {
  return [
    around("App password: ", "qwjk zxcv bnmp lkjh"),
    around("Your app password for Mail on this device is ", "rtvb ghyu oplk nmxz", "."),
    around("GMAIL_PASSWORD=", "rtvb ghyu oplk nmxz", "\n"),
    around("smtp password: ", "rtvb\u00a0ghyu\u00a0oplk\u00a0nmxz", "\n"),
    around("App-Passwort: ", "rtvb ghyu oplk nmxz", "\n"),
    around("Mot de passe d'application : ", "rtvb ghyu oplk nmxz", "\n"),
    around("app-specific password: ", "rtvb-ghyu-oplk-nmxz", "\n"),
  ];
}

function seedPhrases(): StructuralSecret[] {
  const numbered = seedWords.slice(0, 12).map((word, index) => `${index + 1}. ${word}`);
  return [
    around("seed phrase: ", words(12)),
    around('mnemonic = "', words(24), '"'),
    around("MNEMONIC=", words(12), "\n"),
    around("Your secret recovery phrase is:\n\n", words(15), "\n"),
    around('{"seedPhrase":"', words(18), '"}'),
    around("Recovery phrase (keep it offline): ", words(21), ". Never show it."),
    { text: `backup words\n${numbered.join("\n")}\n`, secrets: seedWords.slice(0, 12), kept: ["backup words\n"] },
    { text: `mnemonic: ${JSON.stringify(seedWords)}`, secrets: seedWords, kept: ["mnemonic: "] },
    around("seed: ", words(12), "\n"),
    around("Wiederherstellungsphrase: ", words(12), "\n"),
  ];
}

function hexadecimalKeys(): StructuralSecret[] {
  return [
    around("private key: ", hex(64)),
    around("Private Key (hex): ", `0x${hex(64)}`, "\n"),
    around("PRIVATE_KEY=", `0x${hex(64)}`),
    around("cast send --private-key ", `0x${hex(64)}`, " 0x00"),
    around('"privateKey": "', `0x${hex(64)}`, '"'),
    around("privkey ", hex(64), "\n"),
    around("the private key is ", hex(64).toUpperCase(), "."),
  ];
}

function passwordHashes(): StructuralSecret[] {
  const letters = (length: number) => random.letters(`${alphabets.mixed}./`, length);
  return [
    around("root:$6$", `${letters(16)}$${letters(86)}`, ":19000:0:99999:7:::"),
    around("me:$5$", `rounds=5000$${letters(16)}$${letters(43)}`, ":19000::::::"),
    around("me:$y$", `j9T$${letters(22)}$${letters(43)}`, ":19000::::::"),
    around("me:$7$", `CU..../....${letters(22)}$${letters(43)}`, ":19000::::::"),
    around("me:$1$", `${letters(8)}$${letters(22)}`, ":19000::::::"),
    around("me:$apr1$", `${letters(8)}$${letters(22)}`, "\n"),
    around("me:$2y$", `05$${letters(53)}`, "\n"),
    around("INSERT INTO users VALUES ('me', '$2b$", `12$${letters(53)}`, "')"),
    around("hash $argon2id$", `v=19$m=65536,t=3,p=4$${letters(22)}$${letters(43)}`, "\n"),
    around("basicauth=me:$$2y$$", `05$$${letters(53)}`, "\n"),
    around('usermod -p "\\$6\\$', `${letters(16)}\\$${letters(86)}`, '" me'),
  ];
}

function blocksAndLists(): StructuralSecret[] {
  return [
    around("password: |\n  ", "marmalade", "\nuser: me\n"),
    around("password: >-\n    ", `Tr0ub4dor&3`, "\nuser: me\n"),
    around("  api_token: |-\n    ", hex(40), "\n  next: 1\n"),
    around('"password: |\\n  ', "marmalade", '\\nuser: me\\n"'),
    {
      text: `api_key: >\n  ${hex(32)}\n  ${"9f".repeat(16)}\nuser: me`,
      secrets: ["9f".repeat(16)],
      kept: ["api_key: >\n  ", "\nuser: me"],
    },
    {
      text: 'recovery_codes: ["4f7k-9q2m", "8d3p-2x7z"], "user": "me"',
      secrets: ["4f7k-9q2m", "8d3p-2x7z"],
      kept: ["recovery_codes: [", '"user": "me"'],
    },
  ];
}
