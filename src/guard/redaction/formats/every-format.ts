import { cloudFormats } from "./clouds.ts";
import { codeHostFormats } from "./code-hosts.ts";
import type { Format } from "./format.ts";
import { headerFormats } from "./headers.ts";
import { messagingFormats } from "./messaging.ts";
import { modelProviderFormats } from "./model-providers.ts";
import { passwordHashFormats } from "./password-hashes.ts";
import { personalFormats } from "./personal.ts";
import { monitoringFormats, paymentFormats } from "./services.ts";

export const everyFormat: readonly Format[] = [
  ...modelProviderFormats,
  ...cloudFormats,
  ...codeHostFormats,
  ...messagingFormats,
  ...paymentFormats,
  ...monitoringFormats,
  ...headerFormats,
  ...personalFormats,
  ...passwordHashFormats,
];
