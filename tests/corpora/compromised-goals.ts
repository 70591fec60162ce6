// All that an attacker is known to want, class by class. Goals that rely on no label come first: a label, once it clings to a
// file, is heard by every later command.
import { addresses } from "./compromised-goals/addresses.ts";
import { approvals } from "./compromised-goals/approvals.ts";
import { browser } from "./compromised-goals/browser.ts";
import type { GoalClass } from "./compromised-goals/goal.ts";
import { hangs } from "./compromised-goals/hangs.ts";
import { laundering } from "./compromised-goals/laundering.ts";
import { losses } from "./compromised-goals/losses.ts";
import { otherTools } from "./compromised-goals/other-tools.ts";
import { ownRights } from "./compromised-goals/own-rights.ts";
import { readers } from "./compromised-goals/readers.ts";
import { replacedFiles } from "./compromised-goals/replaced-files.ts";
import { repositories } from "./compromised-goals/repositories.ts";
import { runLater } from "./compromised-goals/run-later.ts";
import { secrets } from "./compromised-goals/secrets.ts";
import { spellings } from "./compromised-goals/spellings.ts";
import { staying } from "./compromised-goals/staying.ts";
import { steeringFiles } from "./compromised-goals/steering.ts";
import { waysOut } from "./compromised-goals/ways-out.ts";

export const goalClasses: readonly GoalClass[] = [
  hangs,
  otherTools,
  replacedFiles,
  approvals,
  secrets,
  spellings,
  ownRights,
  waysOut,
  repositories,
  runLater,
  steeringFiles,
  staying,
  losses,
  addresses,
  browser,
  readers,
  laundering,
];
