import { after, atLeast, exact, type Format } from "./format.ts";

const digits = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"];

export const messagingFormats: readonly Format[] = [
  atLeast(
    "slack-token",
    ["xoxb-", "xoxp-", "xoxa-", "xoxo-", "xoxs-", "xoxr-", "xoxc-", "xoxd-", "xoxe-"],
    "[\\w%-]{10}",
    "token",
  ),
  atLeast("slack-token", ["xoxe.xoxb-", "xoxe.xoxp-"], "[\\w-]{10}"),
  atLeast("slack-app-token", ["xapp-", "xwfp-"], "[\\w-]{16}"),
  after(
    "slack-webhook",
    "hooks.slack.com/",
    "hooks\\.slack\\.com/(?:services|workflows|triggers)/",
    "[A-Z0-9][\\w/]{16}",
    "token",
  ),
  atLeast("discord-token", ["M", "N", "O"], "[A-Za-z0-9_-]{22,28}\\.[\\w-]{6}\\.[\\w-]{27}"),
  atLeast("discord-mfa-token", "mfa.", "[\\w-]{60}"),
  after(
    "discord-webhook",
    ["discord.com/", "discordapp.com/"],
    "discord(?:app)?\\.com/api/(?:v\\d{1,2}/)?webhooks/\\d{5,24}/",
    "[\\w-]{30}",
  ),
  atLeast("telegram-bot-token", digits, "\\d{5,11}:A[A-Za-z0-9_-]{30}"),
  after("telegram-bot-token", "bot", "bot", "\\d{6,12}:A[A-Za-z0-9_-]{30}"),
  after(
    "teams-webhook",
    "webhook.office.com/",
    "webhook\\.office\\.com/webhookb2/",
    "[a-f0-9-]{36}@[a-f0-9-]{36}",
    "token",
  ),
  atLeast("matrix-token", ["syt_", "mct_"], "[A-Za-z0-9=]{4,60}_[A-Za-z0-9]{10,30}(?:_[A-Za-z0-9]{4,10})?"),
  after("twitch-token", "oauth:", "oauth:", "[a-z0-9]{30}(?![A-Za-z0-9])"),
  atLeast("firebase-server-key", "AAAA", "[\\w-]{7}:[\\w-]{100}"),
  exact("ntfy-token", "tk_", "[a-z0-9]{29}"),
  atLeast("meta-token", "EAA", "(?<![+/]EAA)[A-Za-z0-9]{80}"),
  atLeast("instagram-token", ["IGQ", "IGAA"], "(?<![+/]\\w{3,4})[\\w-]{80}"),
  atLeast("twitter-bearer", "AAAAAAAAAAAAAAAAAAAAA", "[A-Za-z0-9%]{50}"),
  exact("sendgrid-key", "SG.", "[\\w-]{16,32}\\.[\\w-]{16,64}"),
  exact("mailgun-key", "key-", "(?=[a-z]{0,31}\\d)[a-z0-9]{32}"),
  atLeast("brevo-key", ["xkeysib-", "xsmtpsib-"], "[a-f0-9]{64}"),
  exact("resend-key", "re_", "[A-Za-z0-9]{6,10}_[A-Za-z0-9]{20,28}"),
  atLeast("mailersend-token", "mlsn.", "[a-f0-9]{60}"),
  exact("mandrill-key", "md-", "[\\w-]{22}"),
  exact("twilio-key", "SK", "[a-f0-9]{32}"),
  after(
    "google-chat-webhook",
    "chat.googleapis.com/",
    "chat\\.googleapis\\.com/v1/spaces/[\\w-]{5,20}/messages\\?key=",
    "[\\w-]{30}",
  ),
  after("zapier-webhook", "hooks.zapier.com/", "hooks\\.zapier\\.com/hooks/catch/\\d{4,12}/", "[a-z0-9]{6}"),
];
