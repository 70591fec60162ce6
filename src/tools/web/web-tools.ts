// The web tools: a URL or a question comes in; text that nobody should obey goes out, marked and labelled as such.
import type { Tool } from "../../contract/tool.ts";
import { type FetchToolDeps, fetchTool } from "./fetch-tool.ts";
import { openPageReader } from "./open-page-reader.ts";
import { type SearchToolDeps, searchTool } from "./search/search-tool.ts";

export type WebToolDeps = Omit<FetchToolDeps, "reader"> & SearchToolDeps;

export function webTools(deps: WebToolDeps): readonly Tool[] {
  return [fetchTool({ ...deps, reader: openPageReader() }), searchTool(deps)];
}
