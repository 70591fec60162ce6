import { absolutePath } from "../paths/real-path.ts";
import type { Expansion } from "./expansion.ts";
import type { Field } from "./field.ts";
import { hasPattern, matchesWhole, readPattern } from "./pattern.ts";
import type { Unit } from "./units.ts";

const mostMatches = 20_000;

/** The file names that bash would put in place of the word, or the word itself when there are none. */
export function expandGlob(expansion: Expansion, units: readonly Unit[]): Field[] {
  const text = units.map((unit) => (unit.kind === "char" ? unit.char : "")).join("");
  if (!hasPattern(units)) return [{ kind: "text", text, ...samePattern(units) }];
  const found = matchComponents(expansion, splitAtSlashes(units));
  if (!found) return [{ kind: "unknown", prefix: "", many: true, numeric: false }];
  if (found.length === 0) return [{ kind: "text", text, pattern: text }];
  return found.sort().map((path) => ({ kind: "text", text: path, pattern: text }));
}

/** A value that a glob found keeps that glob while it is used whole. */
function samePattern(units: readonly Unit[]): { pattern?: string } {
  const chars = units.filter((unit) => unit.kind === "char");
  const pattern = chars[0]?.pattern;
  return pattern !== undefined && chars.every((unit) => unit.pattern === pattern) ? { pattern } : {};
}

function matchComponents(expansion: Expansion, components: readonly (readonly Unit[])[]): string[] | undefined {
  const { listing, folder, budget } = expansion;
  let paths: string[] = [""];
  let globbed = false;
  for (const [index, component] of components.entries()) {
    const slash = index === 0 ? "" : "/";
    if (!hasPattern(component)) {
      const name = component.map((unit) => (unit.kind === "char" ? unit.char : "")).join("");
      paths = paths.map((path) => path + slash + name);
      if (globbed) paths = paths.filter((path) => listing.exists(absolutePath(folder, path)));
      continue;
    }
    globbed = true;
    const pattern = readPattern(budget, component);
    if (!pattern) return undefined;
    const hidden = component[0]?.kind === "char" && component[0].char === ".";
    paths = paths.flatMap((path) => {
      const names = listing.list(absolutePath(folder, path + slash));
      return names
        .filter((name) => hidden === name.startsWith(".") && matchesWhole(budget, pattern, name))
        .map((name) => path + slash + name);
    });
    if (paths.length > mostMatches) return undefined;
  }
  return paths;
}

function splitAtSlashes(units: readonly Unit[]): Unit[][] {
  const components: Unit[][] = [[]];
  for (const unit of units) {
    if (unit.kind === "char" && unit.char === "/") components.push([]);
    else components.at(-1)?.push(unit);
  }
  return components;
}
