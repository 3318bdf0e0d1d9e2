// Lists what a source file imports: import and export ... from, bare imports, import("...") in
// values and in types. `target` is the path in the tree, undefined for packages.
import { posix } from "node:path";

const FROM_CLAUSE =
  /(?<![.\w$])(?:import|export)\b(\s+type\b(?!\s*(?:,|from\b)))?[\w$\s{},*]*?\bfrom\s*["']/g;
const DIRECT_IMPORT = /(?<![.\w$])import\s*(\()?\s*["']/g;
const OWN_PACKAGE = "clawtools";

export function listImports({ path, code, strings }) {
  const clauses = matchAll(FROM_CLAUSE, code).map((match) => ({
    ...describe({ path, match, strings }),
    isTypeOnly: match[1] !== undefined,
    isBare: false,
  }));
  const direct = matchAll(DIRECT_IMPORT, code).map((match) => ({
    ...describe({ path, match, strings }),
    isTypeOnly: false,
    isBare: match[1] === undefined,
  }));
  return [...clauses, ...direct];
}

function matchAll(pattern, code) {
  return [...code.matchAll(pattern)];
}

function describe({ path, match, strings }) {
  const offset = match.index + match[0].length - 1;
  const specifier = strings.get(offset) ?? "";
  return { offset, specifier, target: resolveTarget(path, specifier) };
}

function resolveTarget(path, specifier) {
  if (specifier.startsWith(".")) {
    return posix.join(posix.dirname(path), specifier).replace(/\.js$/, ".ts");
  }
  if (specifier === OWN_PACKAGE) return "src/public/index.ts";
  if (specifier.startsWith(`${OWN_PACKAGE}/`)) {
    return `src/public/${specifier.slice(OWN_PACKAGE.length + 1)}.ts`;
  }
  return undefined;
}
