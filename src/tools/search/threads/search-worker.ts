// The thread of a search: a job comes in, then lists of tasks, and each list is answered with one result.
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { type Beat, openBeat } from "./search-beat.ts";
import { type FolderSearch, openFolderSearch } from "./search-folder.ts";
import type { SearchMessage } from "./search-job.ts";

if (!parentPort) throw new Error("a search worker is started by openSearchThreads, as a thread");
serve(parentPort, openBeat(workerData as SharedArrayBuffer));

function serve(port: MessagePort, beat: Beat): void {
  let search: FolderSearch | undefined;
  port.on("message", (message: SearchMessage) => {
    if ("job" in message) search = openFolderSearch(message.job, beat);
    else if (search) port.postMessage(search.run(message.tasks));
    else throw new Error("tasks came before the job");
  });
}
