// What one `defineTool` costs the compiler of a user, counted in the types it makes: deterministic,
// and the same on every machine.

import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const MAX_TYPES = 30_000;

const PROGRAM = `
import { defineTool, t, textResult } from "clawtools";
export const countWords = defineTool({
  name: "count_words",
  description: "Count the words of a text.",
  parameters: t.object({
    text: t.string(),
    order: t.optional(t.choice(["asc", "desc"])),
    lists: t.array(t.object({ count: t.integer() })),
  }),
  async execute({ params }) {
    const order: "asc" | "desc" | undefined = params.order;
    const counts: number[] = params.lists.map(({ count }) => count);
    // @ts-expect-error: the text has a type.
    const wrong: number = params.text;
    return textResult(params.text, { order, counts, wrong });
  },
});
`;

it("defineTool infers the arguments and costs the compiler at most 30,000 types", async () => {
  const folder = await mkdtemp(join(tmpdir(), "compiler-cost-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, "program.ts"), PROGRAM);
  const compilerOptions = {
    ...{ strict: true, noEmit: true, skipLibCheck: true, target: "es2022", module: "nodenext" },
    types: ["node"],
    typeRoots: [join(ROOT, "node_modules/@types")],
    paths: { clawtools: [join(ROOT, "dist/types/public/index.d.ts")] },
  };
  const project = { compilerOptions, files: ["program.ts"] };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify(project));
  const tsc = join(createRequire(import.meta.url).resolve("typescript/package.json"), "../bin/tsc");
  const run = promisify(execFile)(process.execPath, [tsc, "-p", folder, "--extendedDiagnostics"]);
  const { stdout } = await run.catch((error: { stdout: string }) => error);
  expect(stdout).not.toContain("error TS");
  expect(Number(/^Types:\s+(\d+)/m.exec(stdout)?.[1])).toBeLessThan(MAX_TYPES);
});
