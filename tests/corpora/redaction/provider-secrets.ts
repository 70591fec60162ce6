import { alphabets, randomSource } from "./random-source.ts";

/** A secret in its surroundings; `name` is the mask it must get. Built from parts: no secret stands in the repository. */
export type ProviderSecret = { name: string; secret: string; before?: string; after?: string };

const random = randomSource(20_260_801);
const hex = (length: number) => random.letters(alphabets.hex, length);
const lower = (length: number) => random.letters(alphabets.lower, length);
const upper = (length: number) => random.letters(alphabets.upper, length);
const mixed = (length: number) => random.letters(alphabets.mixed, length);
const base64 = (length: number) => random.letters(alphabets.base64, length);
const url = (length: number) => `${mixed(1)}${random.letters(alphabets.url, length - 2)}${mixed(1)}`;
const digits = (length: number) => `${1 + random.below(9)}${random.letters("0123456789", length - 1)}`;
const uuid = () => [8, 4, 4, 4, 12].map(hex).join("-");
const encoded = (text: string) => Buffer.from(text).toString("base64url");
const jwt = () => `${encoded('{"alg":"HS256","typ":"JWT"}')}.${encoded(`{"sub":"${digits(9)}"}`)}.${url(43)}`;

export const providerSecrets: readonly ProviderSecret[] = [
  ...modelProviders(),
  ...clouds(),
  ...codeHosts(),
  ...workplaces(),
  ...messaging(),
  ...payment(),
  ...monitoring(),
  ...headers(),
  ...personal(),
];

function named(name: string, ...secrets: string[]): ProviderSecret[] {
  return secrets.map((secret) => ({ name, secret }));
}

function modelProviders(): ProviderSecret[] {
  const openai = "sk" + "-";
  return [
    ...named("anthropic-key", `${openai}ant-api03-${url(93)}AA`, `${openai}ant-admin01-${url(93)}AA`),
    ...named("anthropic-key", `${openai}ant-oat01-${url(93)}AA`, `${openai}ant-sid01-${url(80)}`),
    ...named("openai-key", `${openai}${mixed(20)}T3BlbkFJ${mixed(20)}`, `${openai}proj-${url(74)}T3BlbkFJ${url(74)}`),
    ...named("openai-key", `${openai}svcacct-${url(60)}`, `${openai}admin-${url(60)}`, `${openai}${hex(32)}`),
    ...named("openrouter-key", `${openai}or-v1-${hex(64)}`),
    ...named("langfuse-key", `${openai}lf-${uuid()}`),
    ...named("helicone-key", `${openai}helicone-${lower(7)}-${lower(7)}-${lower(7)}`),
    ...named("litellm-key", `${openai}litellm-${url(24)}`),
    ...named("groq-key", `gsk_${mixed(52)}`),
    ...named("huggingface-token", `hf_${mixed(34)}`, `api_org_${mixed(34)}`),
    ...named("replicate-token", `r8_${mixed(37)}`),
    ...named("perplexity-key", `pplx-${mixed(48)}`),
    ...named("xai-key", `xai-${mixed(80)}`),
    ...named("fireworks-key", `fw_${mixed(24)}`),
    ...named("together-key", `tgp_v1_${url(43)}`),
    ...named("cerebras-key", `csk-${lower(48)}`),
    ...named("nvidia-key", `nvapi-${url(64)}`),
    ...named("langsmith-key", `lsv2_pt_${hex(32)}_${hex(10)}`, `lsv2_sk_${hex(32)}_${hex(10)}`),
    ...named("tavily-key", `tvly-${mixed(32)}`, `tvly-dev-${mixed(32)}`),
    ...named("elevenlabs-key", `sk_${hex(48)}`),
    ...named("voyage-key", `pa-${url(43)}`),
    ...named("jina-key", `jina_${mixed(60)}`),
    ...named("firecrawl-key", `fc-${hex(32)}`),
    ...named("e2b-key", `e2b_${hex(40)}`),
    ...named("pinecone-key", `pcsk_${mixed(6)}_${mixed(60)}`),
    ...named("brave-search-key", `BSA${mixed(28)}`),
    ...named("anyscale-key", `esecret_${lower(24)}`),
    ...named("vercel-ai-gateway-key", `vck_${mixed(56)}`),
    ...named("google-ai-key", `AQ.Ab8${url(47)}`),
    ...named("apify-token", `apify_api_${mixed(36)}`),
    ...named("browserbase-key", `bb_live_${url(27)}`),
    ...named("weights-and-biases-key", `wandb_v1_${url(77)}`),
  ];
}

function clouds(): ProviderSecret[] {
  const accessKey = `AK${"IA"}${upper(16)}`;
  return [
    ...named("aws-access-key", accessKey, `AS${"IA"}${upper(16)}`),
    ...named("aws-bedrock-key", `ABSK${base64(109)}`, `bedrock-api-key-${base64(100)}`),
    ...named("aws-marketplace-key", `amzn.mws.${uuid()}`),
    ...named("google-api-key", `AI${"za"}Sy${url(33)}`),
    ...named("google-oauth-secret", `GOCSPX-${url(28)}`),
    ...named("google-oauth-token", `ya29.a0${url(160)}`),
    ...named("google-refresh-token", `1//0${url(60)}`),
    ...named("digitalocean-token", `dop_v1_${hex(64)}`, `doo_v1_${hex(64)}`, `dor_v1_${hex(64)}`),
    ...named("alibaba-access-key", `LTAI${mixed(20)}`),
    ...named("tencent-secret-id", `AKID${mixed(32)}`),
    ...named("yandex-key", `AQVN${url(35)}`, `y0_Ag${url(55)}`),
    ...named("scaleway-access-key", `SCW${upper(17)}`),
    ...named("fly-token", `fo1_${url(43)}`, `fm2_${base64(80)}`),
    ...named("heroku-key", `HRKU-${uuid()}`, `HRKU-AA${url(58)}`),
    ...named("netlify-token", `nfp_${mixed(36)}`),
    ...named("render-key", `rnd_${mixed(28)}`),
    ...named("cloudflare-origin-key", `v1.0-${hex(24)}-${hex(146)}`),
    ...named("cloudflare-token", `cfut_${mixed(48)}`),
    ...named("supabase-token", `sbp_${hex(40)}`),
    ...named("supabase-key", `sb_secret_${url(31)}`),
    ...named("planetscale-token", `pscale_tkn_${url(43)}`, `pscale_pw_${url(43)}`),
    ...named("neon-key", `napi_${lower(64)}`),
    ...named("databricks-token", `dapi${hex(32)}`, `dapi${hex(32)}-2`),
    ...named("prefect-key", `pnu_${lower(36)}`),
    ...named("infracost-key", `ico-${mixed(32)}`),
    ...named("pulumi-token", `pul-${hex(40)}`),
    ...named("vault-token", `hvs.${url(95)}`, `hvb.${url(140)}`, `s.${mixed(22)}X7`),
    ...named("doppler-token", `dp.pt.${mixed(43)}`, `dp.st.prd.${mixed(43)}`),
    ...named("onepassword-token", `ops_eyJ${base64(300)}`),
    ...named("onepassword-secret-key", `A3-${upper(6)}-${upper(6)}-${upper(5)}-${upper(5)}-${upper(5)}-${upper(5)}`),
    ...named("age-secret-key", `AGE-SECRET-KEY-1${upper(58)}`),
    ...named("tailscale-key", `tskey-auth-${mixed(12)}-${mixed(32)}`, `tskey-api-${mixed(12)}-${mixed(32)}`),
    ...named("openshift-token", `sha256~${url(43)}`),
    ...named("infisical-token", `st.${hex(24)}.${hex(32)}.${hex(32)}`),
    ...named("deno-deploy-token", `ddp_${mixed(36)}`),
    ...named("confluent-key", `cflt${base64(60)}`),
    ...named("steward-token", `stw_${url(43)}`),
    ...named("nostr-secret-key", `nsec1${lower(58)}`),
    ...named("wallet-extended-key", `xprv9${mixed(107)}`),
    ...named("azure-client-secret", `${mixed(3)}8Q~${url(34)}`),
    ...named("azure-devops-token", `${mixed(76)}AZDO${mixed(4)}`),
    ...named("azure-resource-key", `${mixed(52)}JQQJ99${mixed(26)}`),
    ...named("terraform-token", `${mixed(14)}.atlasv1.${url(67)}`),
    ...named("maxmind-key", `${mixed(6)}_${mixed(29)}_mmk`),
  ];
}

function codeHosts(): ProviderSecret[] {
  return [
    ...named("github-token", `gh${"p"}_${mixed(36)}`, `gh${"o"}_${mixed(36)}`, `gh${"u"}_${mixed(36)}`),
    ...named("github-token", `gh${"s"}_${mixed(36)}`, `gh${"r"}_${mixed(76)}`),
    ...named("github-fine-grained-token", `github_${"pat"}_11${upper(20)}_${mixed(59)}`),
    ...named("gitlab-token", `gl${"pat"}-${url(20)}`, `gl${"dt"}-${url(20)}`, `gl${"ptt"}-${hex(40)}`),
    ...named("gitlab-token", `gl${"rt"}-${url(20)}`, `gl${"soat"}-${url(20)}`),
    ...named("gitlab-job-token", `glcbt-${hex(2)}_${url(20)}`),
    ...named("gitlab-runner-registration", `GR1348941${url(20)}`),
    ...named("bitbucket-token", `ATBB${mixed(32)}`),
    ...named("atlassian-token", `ATATT3x${"Ff"}${url(180)}=${hex(8).toUpperCase()}`),
    ...named("sourcegraph-token", `sgp_${hex(16)}_${hex(40)}`),
    ...named("circleci-token", `CCIPAT_${mixed(22)}_${hex(40)}`),
    ...named("buildkite-token", `bkua_${lower(40)}`),
    ...named("sonar-token", `sqp_${hex(40)}`, `squ_${hex(40)}`),
    ...named("octopus-deploy-key", `API-${upper(26)}`),
    ...named("artifactory-key", `AKCp${mixed(69)}`),
    ...named("npm-token", `npm_${mixed(36)}`),
    ...named("pypi-token", `pypi-AgEIcHlwaS5vcmc${url(150)}`),
    ...named("rubygems-key", `rubygems_${hex(48)}`),
    ...named("nuget-key", `oy2${lower(43)}`),
    ...named("crates-token", `cio${mixed(32)}`),
    ...named("clojars-token", `CLOJARS_${lower(60)}`),
    ...named("docker-hub-token", `dckr_pat_${url(27)}`, `dckr_oat_${url(32)}`),
    ...named("packagist-token", `packagist_uut_${hex(68)}`),
    ...named("jsr-token", `jsrp_${mixed(36)}`),
  ];
}

function workplaces(): ProviderSecret[] {
  return [
    ...named("postman-key", `PMAK-${hex(24)}-${hex(34)}`),
    ...named("figma-token", `figd_${url(40)}`),
    ...named("linear-key", `lin_api_${mixed(40)}`, `lin_oauth_${hex(64)}`),
    ...named("notion-token", `secret_${mixed(43)}`, `ntn_${mixed(46)}`),
    ...named("clickup-token", `pk_${digits(8)}_${upper(32)}`),
    ...named("airtable-token", `pat${mixed(14)}.${hex(64)}`),
    ...named("asana-token", `1/${digits(16)}:${hex(32)}`),
    ...named("hubspot-token", `pat-na1-${uuid()}`),
    ...named("contentful-token", `CFPAT-${url(43)}`),
    ...named("readme-key", `rdme_${lower(70)}`),
    ...named("typeform-token", `tfp_${url(59)}`),
    ...named("wakatime-key", `waka_${uuid()}`),
    ...named("adobe-client-secret", `p8e-${mixed(32)}`),
    ...named("mapbox-secret-token", `sk.${encoded('{"u":"someone","a":"abcdefgh"}')}${url(20)}.${url(22)}`),
    ...named("frameio-token", `fio-u-${url(64)}`),
    ...named("dropbox-token", `sl.${url(135)}`),
    ...named("launchdarkly-key", `sdk-${uuid()}`, `api-${uuid()}`),
    ...named("scalingo-token", `tk-us-${url(48)}`),
    ...named("harness-token", `pat.${mixed(22)}.${hex(24)}.${mixed(20)}`),
    ...named("rapidapi-key", `${hex(10)}msh${hex(15)}p1${hex(6)}jsn${hex(12)}`),
  ];
}

function messaging(): ProviderSecret[] {
  const slack = `xo${"x"}`;
  return [
    ...named("slack-token", `${slack}b-${digits(12)}-${digits(13)}-${mixed(24)}`, `${slack}p-${digits(12)}-${hex(32)}`),
    ...named("slack-token", `${slack}e-1-${mixed(140)}`, `${slack}e.${slack}b-1-${mixed(160)}`, `${slack}s-${url(40)}`),
    ...named("slack-app-token", `xapp-1-A${upper(10)}-${digits(13)}-${hex(64)}`),
    {
      name: "slack-webhook",
      before: "https://hooks.slack.com/services/",
      secret: `T${upper(8)}/B${upper(8)}/${mixed(24)}`,
    },
    ...named("discord-token", `M${mixed(25)}.G${url(5)}.${url(38)}`, `N${mixed(23)}.${url(6)}.${url(27)}`),
    ...named("discord-mfa-token", `mfa.${url(84)}`),
    { name: "discord-webhook", before: `https://discord.com/api/webhooks/${digits(18)}/`, secret: url(68) },
    ...named("telegram-bot-token", `${digits(10)}:AA${url(33)}`, `${digits(9)}:AA${url(33)}`),
    {
      name: "telegram-bot-token",
      before: "https://api.telegram.org/bot",
      secret: `${digits(10)}:AA${url(33)}`,
      after: "/getMe",
    },
    {
      name: "teams-webhook",
      before: "https://contoso.webhook.office.com/webhookb2/",
      secret: `${uuid()}@${uuid()}/IncomingHook/${hex(32)}/${uuid()}`,
    },
    ...named("matrix-token", `syt_${mixed(8)}_${mixed(20)}_${mixed(6)}`),
    { name: "twitch-token", before: "oauth:", secret: lower(30) },
    ...named("firebase-server-key", `AAAA${url(7)}:${url(140)}`),
    ...named("ntfy-token", `tk_${lower(29)}`),
    ...named("meta-token", `EAA${mixed(170)}`),
    ...named("instagram-token", `IGQ${url(150)}`),
    ...named("twitter-bearer", `${"A".repeat(21)}${mixed(90)}`),
    ...named("sendgrid-key", `S${"G"}.${url(22)}.${url(43)}`),
    ...named("mailgun-key", `key-${hex(32)}`),
    ...named("mailchimp-key", `${hex(32)}-us14`),
    ...named("brevo-key", `xkeysib-${hex(64)}-${mixed(16)}`),
    ...named("resend-key", `re_${mixed(8)}_${mixed(24)}`),
    ...named("mailersend-token", `mlsn.${hex(64)}`),
    ...named("mandrill-key", `md-${url(22)}`),
    ...named("twilio-key", `S${"K"}${hex(32)}`),
    {
      name: "google-chat-webhook",
      before: `https://chat.googleapis.com/v1/spaces/${mixed(11)}/messages?key=`,
      secret: url(39),
    },
    { name: "zapier-webhook", before: `https://hooks.zapier.com/hooks/catch/${digits(7)}/`, secret: lower(7) },
  ];
}

function payment(): ProviderSecret[] {
  return [
    ...named("stripe-key", `sk_${"live"}_${mixed(24)}`, `sk_${"test"}_51${mixed(97)}`, `rk_${"live"}_${mixed(24)}`),
    ...named("webhook-secret", `wh${"sec"}_${mixed(32)}`),
    ...named("square-token", `sq0atp-${url(22)}`, `sq0csp-${url(43)}`, `EAAA${url(60)}`),
    ...named("paypal-token", `access_token$production$${lower(16)}$${hex(32)}`),
    ...named("plaid-token", `access-sandbox-${uuid()}`),
    ...named("razorpay-key", `rzp_live_${mixed(14)}`),
    ...named("flutterwave-key", `FLWSECK_TEST-${hex(32)}-X`),
    ...named("gocardless-token", `live_${mixed(20)}-${mixed(19)}`),
    ...named("mollie-key", `live_${mixed(29)}7`),
    ...named("shopify-token", `shpat_${hex(32)}`, `shpss_${hex(32)}`),
    ...named("easypost-key", `EZAK${mixed(54)}`),
    ...named("duffel-token", `duffel_live_${url(43)}`),
    ...named("shippo-token", `shippo_live_${hex(40)}`),
    ...named("stytch-secret", `secret-live-${url(40)}`),
    ...named("chargebee-key", `live_cb_${mixed(30)}`),
    ...named("coinbase-key", `cbk_${mixed(32)}`),
    ...named("ubidots-token", `BBFF-${mixed(30)}`),
  ];
}

function monitoring(): ProviderSecret[] {
  return [
    ...named("new-relic-key", `NRAK-${upper(27)}`, `NRII-${url(32)}`),
    ...named("new-relic-license", `eu01xx${hex(30)}NRAL`),
    ...named("grafana-token", `glc_${base64(60)}`, `glsa_${mixed(32)}_${hex(8)}`),
    ...named("grafana-key", `eyJrIjoi${mixed(70)}`),
    ...named("dynatrace-token", `dt0c01.${upper(24)}.${upper(64)}`),
    ...named("honeycomb-key", `hcaik_01${lower(56)}`),
    ...named("sentry-token", `sntrys_eyJ${base64(100)}`, `sntryu_${hex(64)}`),
    { name: "sentry-dsn", before: "https://", secret: hex(32), after: "@o12345.ingest.sentry.io/4501" },
    ...named("posthog-key", `phx_${mixed(43)}`),
    ...named("datadog-token", `ddpat_${url(36)}`),
    ...named("segment-token", `sgp_${mixed(64)}`),
    ...named("statsig-key", `secret-${mixed(44)}`),
    ...named("temporal-key", `tmprl_${url(40)}`),
    ...named("defined-networking-token", `dnkey-${upper(26)}-${upper(52)}`),
    ...named("settlemint-token", `sm_aat_${mixed(16)}`),
    ...named("zuplo-key", `zpka_${hex(32)}_${hex(8)}`),
  ];
}

function headers(): ProviderSecret[] {
  return [
    ...named("jwt", jwt(), jwt(), `${encoded('{"alg":"dir","enc":"A256GCM"}')}..${url(16)}.${url(300)}.${url(22)}`),
    { name: "bearer-token", before: "Bearer ", secret: url(40) },
    { name: "basic-credentials", before: "Basic ", secret: encoded("someone:opens-the-door-9") },
    { name: "password", before: "The password is ", secret: `tulip${digits(4)}` },
    { name: "token", before: "Your token is ", secret: mixed(32) },
    { name: "password", before: "machine host.example login me password ", secret: `${mixed(12)}!` },
    { name: "password", before: "sshpass -p ", secret: `${mixed(10)}`, after: " ssh me@host" },
  ];
}

function personal(): ProviderSecret[] {
  const pem = `LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tL${mixed(60)}`;
  return [
    { name: "wifi-password", before: "WIFI:T:WPA;S:home;P:", secret: "marmalade", after: ";;" },
    { name: "app-password", before: "My app password for mail is ", secret: "rtvb ghyu oplk nmxz" },
    {
      name: "seed-phrase",
      before: "seed phrase: ",
      secret: "orbit velvet canyon ladder mimic tobacco fringe walnut erupt pottery quiz jaguar",
    },
    { name: "private-key", before: "private key ", secret: hex(64) },
    ...named("private-key", pem),
    { name: "password-hash", before: "me:$6$", secret: `${mixed(16)}$${mixed(86)}`, after: ":19000::::::" },
    { name: "okta-token", before: "SSWS ", secret: `00${url(40)}` },
    { name: "vault-unseal-key", before: "Unseal Key 1: ", secret: `${base64(42)}7=` },
    { name: "vault-unseal-key", before: "vault operator unseal ", secret: `${base64(42)}7=` },
    { name: "ngrok-token", before: "ngrok config add-authtoken ", secret: `2${mixed(26)}_${mixed(21)}` },
    { name: "weights-and-biases-key", before: "wandb login ", secret: hex(40) },
    ...named("ngrok-token", `2${mixed(26)}_${mixed(20)}4`),
    ...named("bitwarden-access-token", `0.${uuid()}.${mixed(30)}:${base64(22)}==`),
    ...named("vercel-token", `vcp_${mixed(56)}`, `vercel_blob_rw_${mixed(16)}_${mixed(31)}`),
    ...named("azure-functions-key", `${url(44)}AzFu${url(5)}Q==`),
    ...named("azure-devops-token", `${random.letters("abcdefghijklmnopqrstuvwxyz", 40)}2345672345a7`),
  ];
}
