// docs/errors.md and docs/errors-*.md list every code and every reason of the sources, each reason under its code, and
// none that the sources no longer have.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ERROR_CODES } from "../../src/core/errors.js";
import { PROBLEM_CODES } from "../../src/plugins/manifest.js";
import { readReasons } from "./error-reasons.js";

const ROOT = join(import.meta.dirname, "../..");
const PAGE = readdirSync(join(ROOT, "docs"))
  .filter((name) => /^errors(-\w+)?\.md$/.test(name))
  .map((name) => readFileSync(join(ROOT, "docs", name), "utf8"))
  .join("\n");

/** Reasons that are put together at run time. */
const TEMPLATES: Readonly<Record<string, readonly string[]>> = {
  "…_cyclic": ["schema_cyclic", "arguments_cyclic"],
  "…_too_deep": ["schema_too_deep", "arguments_too_deep"],
  "…_too_large": ["schema_too_large", "arguments_too_large"],
  "…_unavailable": ["remove_unavailable", "rename_unavailable"],
  "…_unreadable": ["schema_unreadable", "arguments_unreadable"],
};
/**
 * Reasons that are not errors: of a tool that is present, of the network filter of browsers, of
 * presence entries (`connect`, `self`) and of a restart (`updated`).
 */
const NO_ERRORS: ReadonlySet<string> = new Set([
  ...["ready", "bad_request", "stranger_refused"],
  ...["connect", "self", "updated"],
]);

const { reasons, templates } = readReasons(join(ROOT, "src"));
const inSource = new Set([
  ...reasons.map(({ reason }) => reason).filter((reason) => !NO_ERRORS.has(reason)),
  ...Object.values(TEMPLATES).flat(),
  ...Object.keys(PROBLEM_CODES),
]);

interface Row {
  readonly names: readonly string[];
  readonly codes: readonly string[];
  readonly advice: string;
}

const words = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, word = ""]) => word);

/** The rows of all tables that begin with this heading cell. */
function rowsUnder(heading: string): Row[] {
  const tables = PAGE.split("\n\n").filter((part) => part.startsWith(`| ${heading} |`));
  return tables
    .flatMap((table) => table.trimEnd().split("\n").slice(2))
    .map((line) => line.split("|").map((cell) => cell.trim()))
    .map((cells) => ({
      names: words(cells[1] ?? ""),
      codes: words(cells[2] ?? ""),
      advice: cells.at(-2) ?? "",
    }));
}

const rows = rowsUnder("reason");
const listed = new Map(rows.flatMap(({ names, codes }) => names.map((name) => [name, codes])));

describe("docs/errors.md", () => {
  it("lists every code with its numbers and what to do", () => {
    const lines = PAGE.split("\n");
    for (const [code, { http, exit }] of Object.entries(ERROR_CODES)) {
      expect(lines.some((line) => line.startsWith(`| \`${code}\` | ${http} | ${exit} | `))).toBe(
        true,
      );
    }
    expect(rowsUnder("code").flatMap(({ names }) => names)).toEqual(Object.keys(ERROR_CODES));
  });

  it("lists every reason that the sources give", () => {
    const missing = [...inSource].filter((reason) => !listed.has(reason)).sort();
    const advice = missing.map((reason) => {
      const found = reasons.find((one) => one.reason === reason);
      return `Put into docs/errors.md: | \`${reason}\` | \`${found?.code}\` | what to do | (${found?.file})`;
    });
    expect(missing, advice.join("\n")).toEqual([]);
  });

  it("lists no reason that the sources do not give, and none twice", () => {
    const names = rows.flatMap((row) => row.names);
    expect(names.filter((name) => !inSource.has(name))).toEqual([]);
    expect(names.filter((name, position) => names.indexOf(name) !== position)).toEqual([]);
  });

  it("files each reason under the codes that it really has", () => {
    const direct = reasons.flatMap(({ reason, code }) => (code ? [{ reason, code }] : []));
    const plugins = Object.entries(PROBLEM_CODES).map(([reason, code]) => ({ reason, code }));
    const wrong = [...direct, ...plugins].filter(
      ({ reason, code }) => listed.has(reason) && !listed.get(reason)?.includes(code),
    );
    expect(wrong).toEqual([]);
    const unknown = rows.flatMap(({ codes }) => codes.filter((code) => !(code in ERROR_CODES)));
    expect(unknown).toEqual([]);
  });

  it("says in every row what to do", () => {
    expect(rows.length).toBeGreaterThan(20);
    expect(rows.filter(({ advice, codes }) => advice.length < 10 || codes.length === 0)).toEqual(
      [],
    );
  });

  it("knows every reason that is put together at run time", () => {
    expect(templates).toEqual(Object.keys(TEMPLATES));
  });
});
