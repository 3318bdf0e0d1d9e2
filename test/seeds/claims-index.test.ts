// Every documented claim is named by a test, in its title: `42 · …` or `[claim 42]`. Those of tools that
// are not built yet wait for them.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createClawtools } from "clawtools";
import { expect, it } from "vitest";
import { PROJECT_DIR } from "../fakes/run-node.js";

const LAST_CLAIM = 395;
/** By the tool they wait for. */
const WAITING: Readonly<Record<string, readonly (number | readonly [from: number, to: number])[]>> =
  {
    lobster: [219],
    canvas: [[277, 288], 387],
    nodes: [169, 260, [289, 304], 388],
    tts: [311, 312],
    message: [146, 147, [358, 382]],
  };
/** Said of other programs: plugins that add commands or skills, and skills that tools replaced. */
const NOT_OURS = [214, 217, 218];
const IN_TITLE = /["'`]((?:\d{1,3}(?:,? (?:to |and )?)?)+) ·/g;
const AT_THE_END = /\[claims? ([\d, ]+)\]/g;

function* listTestFiles(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* listTestFiles(path);
    else if (entry.name.endsWith(".test.ts")) yield path;
  }
}

const upTo = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

function readNumbers(text: string): number[] {
  return [...text.matchAll(/(\d+)(?: to (\d+))?/g)].flatMap(([, from, to]) =>
    upTo(Number(from), Number(to ?? from)),
  );
}

function listNamed(): Set<number> {
  const files = ["src", "test"].flatMap((folder) => [...listTestFiles(join(PROJECT_DIR, folder))]);
  const titles = files.flatMap((file) => {
    const text = readFileSync(file, "utf8");
    // The first column of a table of cases, which the title begins with.
    const cells = text.includes('"%s · ') ? [...text.matchAll(/^ {4,6}\[?"([\d, ]+)",/gm)] : [];
    return [...text.matchAll(IN_TITLE), ...text.matchAll(AT_THE_END), ...cells];
  });
  return new Set(titles.flatMap(([, numbers = ""]) => readNumbers(numbers)));
}

it("names every claim of a tool that runs", () => {
  const waiting = Object.values(WAITING)
    .flat()
    .flatMap((one) => (typeof one === "number" ? [one] : upTo(...one)));
  const named = listNamed();
  const left = upTo(1, LAST_CLAIM).filter((claim) => !named.has(claim));
  expect(left.filter((claim) => !waiting.includes(claim) && !NOT_OURS.includes(claim))).toEqual([]);
});

it("waits for no tool that is built", () => {
  const { tools } = createClawtools({ catalog: "all" });
  const missing = tools.explain().filter(({ code }) => code === "not_built");
  expect(Object.keys(WAITING).toSorted()).toEqual(missing.map(({ id }) => id).toSorted());
});
