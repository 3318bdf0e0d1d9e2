// For tests that kill a process in the middle of its work: builds the program, runs it, ends it with
// SIGKILL at a chosen moment and gives what it had said until then.

import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, watch, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type BuildOptions, build } from "esbuild";
import { onTestFinished } from "vitest";
import { inpageForEsbuild } from "../../scripts/build/inpage-source.mjs";
import { PROJECT_DIR } from "../fakes/run-node.js";

const MAX_LINES = 6;
const MAX_DELAY_MS = 20;
const MAX_WATCHED_DELAY_MS = 4;

const DOOR = fileURLToPath(new URL("../../src/public/index.ts", import.meta.url));

/** CommonJS packages in the bundle ask for modules of Node by it. */
const REQUIRE =
  'import { createRequire as toRequire } from "node:module"; const require = toRequire(import.meta.url);';

const BUNDLE = {
  bundle: true,
  platform: "node",
  format: "esm",
  banner: { js: REQUIRE },
  alias: { clawtools: DOOR },
  external: ["playwright-core"],
  plugins: [inpageForEsbuild],
  logLevel: "error",
} satisfies BuildOptions;

/** A memo for a test file: making one takes longer than most of what is tried with it. */
const BUNDLES = new Map<string, Promise<Uint8Array>>();

/** Bundles a program of this folder with the sources that it imports. */
export async function buildProgram(source: URL, outfile: string): Promise<void> {
  const entry = fileURLToPath(source);
  const bundle = BUNDLES.get(entry) ?? makeBundle(entry);
  BUNDLES.set(entry, bundle);
  writeFileSync(outfile, await bundle);
}

/**
 * The same in pieces, in a folder inside the project: what the program does not use is not read at its
 * start. Gives the file to run.
 */
export async function buildInPieces(source: URL): Promise<string> {
  const cache = join(PROJECT_DIR, ".cache");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "program-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const entryPoints = { program: fileURLToPath(source) };
  const pieces = { splitting: true, minify: true, keepNames: true } as const;
  await build({
    ...BUNDLE,
    ...pieces,
    entryPoints,
    outdir: folder,
    outExtension: { ".js": ".mjs" },
  });
  return join(folder, "program.mjs");
}

async function makeBundle(entry: string): Promise<Uint8Array> {
  const { outputFiles } = await build({ ...BUNDLE, entryPoints: [entry], write: false });
  const [file] = outputFiles;
  if (!file) throw new Error(`nothing was made of ${entry}`);
  return file.contents;
}

export interface Kill {
  /**
   * The clock starts after so many lines of the process, or when a watched folder changes: at all,
   * or in a name with this ending.
   */
  readonly after: number | "change" | { readonly ending: string };
  readonly delayMs: number;
}

export function chooseKill(random: () => number): Kill {
  if (random() < 0.5) {
    return { after: 1 + Math.floor(random() * MAX_LINES), delayMs: random() * MAX_DELAY_MS };
  }
  return { after: "change", delayMs: random() < 0.5 ? 0 : random() * MAX_WATCHED_DELAY_MS };
}

export interface Victim {
  readonly program: string;
  readonly args: readonly string[];
  readonly watched: readonly string[];
  readonly kill: Kill;
}

/** The lines the process said; rejects when it ended by itself. */
export function runAndKill({ program, args, watched, kill }: Victim): Promise<string[]> {
  const child = spawn(process.execPath, [program, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  let complaints = "";
  let timer: NodeJS.Timeout | undefined;
  const startClock = () => {
    if (kill.delayMs === 0) child.kill("SIGKILL");
    else timer ??= setTimeout(() => child.kill("SIGKILL"), kill.delayMs);
  };
  const watchers = watched.map((folder) =>
    watch(folder, (_event, name) => {
      if (isAwaited(kill, name)) startClock();
    }),
  );
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    said += chunk;
    if (typeof kill.after === "number" && said.split("\n").length > kill.after) startClock();
  });
  child.stderr.on("data", (chunk) => {
    complaints += String(chunk);
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (_code, signal) => {
      clearTimeout(timer);
      for (const watcher of watchers) watcher.close();
      if (signal === "SIGKILL") resolve(said.trimEnd().split("\n"));
      else reject(new Error(`the process ended by itself: ${complaints}`));
    });
  });
}

function isAwaited({ after }: Kill, name: string | null): boolean {
  if (typeof after === "number") return false;
  return after === "change" || name?.endsWith(after.ending) === true;
}

/** The last step that was begun and the last that was done, `before` if none was. */
export function readProgress(
  lines: readonly string[],
  before: number,
): { begun: number; done: number } {
  const last = (word: string) =>
    lines.reduce(
      (found, line) => (line.startsWith(word) ? Number(line.slice(word.length)) : found),
      before,
    );
  return { begun: last("begin "), done: last("done ") };
}
