// The thread of a search: a job and a list of its tasks come in, and each list is answered with one result.
import { parentPort, workerData } from "node:worker_threads";
import { openBeat } from "./search-beat.ts";
import { searchFolders } from "./search-folder.ts";
import type { SearchMessage } from "./search-job.ts";

const beat = openBeat(workerData as SharedArrayBuffer);
parentPort?.on("message", (message: SearchMessage) => parentPort?.postMessage(searchFolders(message, beat)));
