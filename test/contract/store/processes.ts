// Runs roles of the store program in processes of their own, each with the store of a driver.

import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll } from "vitest";
import { inpageForEsbuild } from "../../../scripts/build/inpage-source.mjs";
import { PROJECT_DIR } from "../../fakes/run-node.js";

const PROGRAM = fileURLToPath(new URL("./program.ts", import.meta.url));
const SQLITE = "@photostructure/sqlite";

/** Bundles a program; it finds `@photostructure/sqlite` only when it lies inside of the project. */
export async function bundleProgram(outfile: string, contents: string): Promise<void> {
  await build({
    stdin: { contents, resolveDir: PROJECT_DIR },
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    external: [SQLITE, "playwright-core"],
    plugins: [inpageForEsbuild],
    logLevel: "error",
  });
}

/** The roles of the store program with the store of a driver. */
export function storeProgram(module: string): string {
  return `
    import { openStore } from ${JSON.stringify(module)};
    import { runRole } from ${JSON.stringify(PROGRAM)};
    await runRole(openStore, process.argv.slice(2));`;
}

/** The file of a bundled program, for the tests of the block it is called in. */
export function useProgram(contents: string): () => string {
  let folder: string | undefined;
  let file: string | undefined;
  beforeAll(async () => {
    const cache = join(PROJECT_DIR, ".cache");
    mkdirSync(cache, { recursive: true });
    folder = mkdtempSync(join(cache, "store-program-"));
    file = join(folder, "program.mjs");
    await bundleProgram(file, contents);
  });
  afterAll(() => {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  });
  return () => file ?? "";
}

export interface Role {
  readonly child: ChildProcess;
  /** What it has said so far. */
  lines(): readonly string[];
  /** Fulfilled when it has said so many lines. */
  said(count: number): Promise<void>;
  tell(line: string): void;
  /** All it said; rejected unless it ends well, or by SIGKILL. */
  readonly end: Promise<readonly string[]>;
}

/** `before` is what starts it, instead of Node alone. */
export function startRole(
  args: readonly string[],
  { before = [] }: { readonly before?: readonly string[] } = {},
): Role {
  const [command = "", ...rest] = [...before, process.execPath, ...args];
  const child = spawn(command, rest, { stdio: ["pipe", "pipe", "pipe"] });
  let said = "";
  let complaints = "";
  const waiting = new Set<() => void>();
  const lines = () => said.split("\n").slice(0, -1);
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    said += chunk;
    for (const check of waiting) check();
  });
  child.stderr.on("data", (chunk) => {
    complaints += String(chunk);
  });
  const end = new Promise<readonly string[]>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => {
      if (code === 0 || signal === "SIGKILL") resolve(lines());
      else reject(new Error(`the process ended with ${code ?? signal}: ${complaints}`));
    });
  });
  // Whoever waits for the end is told; nobody else need be.
  end.catch(() => undefined);
  return {
    child,
    lines,
    said: (count) =>
      new Promise((resolve, reject) => {
        const check = () => {
          if (lines().length < count) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        end.then(() => reject(new Error(`ended after ${lines().length} lines`)), reject);
        check();
      }),
    tell: (line) => child.stdin.write(`${line}\n`),
    end,
  };
}
