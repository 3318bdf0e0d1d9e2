// Starts holder-program.ts in a Node of its own, from one bundle for a whole test file.
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { inpageForEsbuild } from "../../../scripts/build/inpage-source.mjs";
import type { BrowserStatus } from "../../../src/core/browser.js";

const PROGRAM = fileURLToPath(new URL("./holder-program.ts", import.meta.url));
/** Inside the project, so that its packages are found. */
const PLACE = fileURLToPath(new URL(`../../../.cache/test-life-${process.pid}`, import.meta.url));

export interface HolderAnswer extends BrowserStatus {
  readonly targetId: string;
  readonly error?: string;
}

export interface Holder {
  readonly pid: number;
  readonly answer: HolderAnswer;
  /** Lets it close its browser and end. */
  end(): Promise<void>;
  kill(): Promise<void>;
}

export interface HolderPlace {
  readonly folder: string;
  readonly stateDir: string;
  readonly url: string;
}

export interface HolderProgram {
  /** Resolves when its browser has a page. */
  start(place: HolderPlace): Promise<Holder>;
  /** At once, while its browser starts. */
  begin(place: HolderPlace): Pick<Holder, "pid" | "kill">;
  remove(): void;
}

export async function buildHolder(): Promise<HolderProgram> {
  mkdirSync(PLACE, { recursive: true });
  const program = join(PLACE, "holder.mjs");
  await build({
    entryPoints: [PROGRAM],
    outfile: program,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    packages: "external",
    plugins: [inpageForEsbuild],
    logLevel: "error",
  });
  const spawnHolder = ({ folder, stateDir, url }: HolderPlace) =>
    spawn(process.execPath, [program, folder, stateDir, url]);
  return {
    start: (place) => startHolder(spawnHolder(place)),
    begin(place) {
      const child = spawnHolder(place);
      const ended = once(child, "close");
      return { pid: child.pid ?? 0, kill: () => kill(child, ended) };
    },
    remove: () => rmSync(PLACE, { recursive: true, force: true }),
  };
}

async function kill(child: ChildProcessWithoutNullStreams, ended: Promise<unknown>): Promise<void> {
  child.kill("SIGKILL");
  await ended;
}

async function startHolder(child: ChildProcessWithoutNullStreams): Promise<Holder> {
  const ended = once(child, "close");
  let complaints = "";
  child.stderr.on("data", (part) => {
    complaints += String(part);
  });
  const line = await Promise.race([
    once(createInterface({ input: child.stdout }), "line").then(([text]) => String(text)),
    ended.then(() => {
      throw new Error(`the holder ended: ${complaints}`);
    }),
  ]);
  return {
    pid: child.pid ?? 0,
    // What holder-program.ts prints.
    answer: JSON.parse(line) as HolderAnswer,
    async end() {
      child.stdin.end("\n");
      await ended;
    },
    kill: () => kill(child, ended),
  };
}
