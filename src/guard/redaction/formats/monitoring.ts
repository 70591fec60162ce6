import { after, atLeast, exact, type Format } from "./format.ts";

export const monitoringFormats: readonly Format[] = [
  exact("new-relic-key", ["NRAK-", "NRAA-", "NRRA-"], "[A-Z0-9]{27,42}"),
  exact("new-relic-key", ["NRII-", "NRIQ-", "NRJS-"], "[\\w-]{16,36}"),
  atLeast("grafana-token", "glc_", "[A-Za-z0-9+/=]{32}", "token"),
  atLeast("grafana-token", "glsa_", "[A-Za-z0-9]{32}_[a-fA-F0-9]{8}"),
  atLeast("grafana-key", "eyJrIjoi", "[A-Za-z0-9+/=]{40}", "token"),
  exact("dynatrace-token", ["dt0c01.", "dt0s01.", "dt0s16."], "[A-Z0-9]{8,24}\\.[A-Z0-9]{64}"),
  atLeast("honeycomb-key", ["hcaik_", "hcxik_", "hcamk_"], "[a-z0-9]{26}"),
  atLeast("sentry-token", ["sntrys_eyJ", "sntryu_", "sntrya_"], "[A-Za-z0-9+/=_-]{40}", "token"),
  after("sentry-dsn", ["http://", "https://"], "https?://", "[a-f0-9]{32}(?::[a-f0-9]{32})?(?=@[\\w.-]{1,80}/\\d)"),
  atLeast("posthog-key", "phx_", "[A-Za-z0-9]{40}"),
  atLeast("datadog-token", ["ddpat_", "ddapp_"], "[\\w-]{30}"),
  atLeast("segment-token", "sgp_", "[A-Za-z0-9]{64}"),
  atLeast("statsig-key", ["secret-", "console-"], "[A-Za-z0-9]{40}"),
  atLeast("temporal-key", "tmprl_", "[\\w-]{24}"),
  atLeast("defined-networking-token", "dnkey-", "[\\w=-]{26}-[\\w=-]{52}"),
  atLeast("settlemint-token", ["sm_aat_", "sm_pat_", "sm_sat_"], "[A-Za-z0-9]{16}"),
  atLeast("zuplo-key", "zpka_", "[a-f0-9]{32}"),
];
