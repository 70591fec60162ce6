// The thread of a search: it begins with a job, and answers each list of tasks with one result.
import { parentPort, workerData } from "node:worker_threads";
import { openBeat } from "./search-beat.ts";
import { openFolderSearch } from "./search-folder.ts";
import type { SearchTask, WorkerStart } from "./search-job.ts";

if (!parentPort) throw new Error("a search worker is started by searchTree, as a thread");
const port = parentPort;
const { job, beat } = workerData as WorkerStart;
const search = openFolderSearch(job, openBeat(beat));

port.on("message", (tasks: readonly SearchTask[]) => port.postMessage(search.run(tasks)));
