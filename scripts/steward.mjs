#!/usr/bin/env node
// The command people type: installs what is missing, then runs Steward on the Node it is pinned to.
import { refuseOldNode } from "./node-version.mjs";

refuseOldNode();
// imported only now, because an old Node could not even parse it
import("./start.mjs")
  .then(({ start }) => start(process.argv.slice(2)))
  .catch((cause) => {
    console.error(cause);
    process.exitCode = 1;
  });
