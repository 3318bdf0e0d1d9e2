// Runs commands in a containment in a process of its own: as this user, or as an ordinary one.

import { execFile } from "node:child_process";
import { chmodSync, chownSync, cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { campaignSize } from "../fakes/campaign.js";
import type { RunAnswer, RunOrder } from "./sandbox-program.js";

export const USER_ID = 65_534;
const MAX_RUN_MS = 60_000;
const MODULES = fileURLToPath(new URL("../../node_modules", import.meta.url));
/** For terminals. They are copied, because an ordinary user may not see the folder of the project. */
const PACKAGES = [
  "@lydell/node-pty",
  `@lydell/node-pty-${process.platform}-${process.arch}`,
  "@xterm/headless",
];
const isRoot = process.getuid?.() === 0;

/** Who runs the commands, and whom the workspace belongs to. */
export const IDENTITIES = isRoot
  ? (["root", "root for a user's workspace", "a user"] as const)
  : (["a user"] as const);
const IS_CAMPAIGN = campaignSize({ slice: 0, campaign: 1 }) === 1;

/** Each case as every identity in a campaign; in `npm test` as one of them, in turn. */
export function pairWithIdentities<Case>(cases: readonly Case[]): (readonly [Identity, Case])[] {
  return cases.flatMap((one, index) => {
    const own = IDENTITIES.filter((_, at) => IS_CAMPAIGN || at === index % IDENTITIES.length);
    return own.map((identity) => [identity, one] as const);
  });
}
export type Identity = "root" | "root for a user's workspace" | "a user";

export async function createSandboxRunner() {
  const folder = mkdtempSync(join(tmpdir(), "sandbox-"));
  chmodSync(folder, 0o755);
  const program = join(folder, "program.mjs");
  await build({
    entryPoints: [fileURLToPath(new URL("./sandbox-program.ts", import.meta.url))],
    outfile: program,
    bundle: true,
    platform: "node",
    format: "esm",
    logLevel: "error",
    external: ["@lydell/node-pty", "@xterm/headless"],
  });
  for (const name of PACKAGES.filter((one) => existsSync(join(MODULES, one)))) {
    cpSync(join(MODULES, name), join(folder, "node_modules", name), { recursive: true });
  }
  return {
    folder,
    /** A workspace, and a home beside it, of whoever runs the commands. */
    makePlace(identity: Identity) {
      const place = {
        root: mkdtempSync(join(folder, "ws-")),
        home: mkdtempSync(join(folder, "h-")),
      };
      for (const path of Object.values(place)) {
        chmodSync(path, 0o755);
        if (isRoot && identity !== "root") chownSync(path, USER_ID, USER_ID);
      }
      return place;
    },
    run: (identity: Identity, order: RunOrder) => runProgram({ program, identity, order }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

interface ProgramRun {
  readonly program: string;
  readonly identity: Identity;
  readonly order: RunOrder;
}

function runProgram({ program, identity, order }: ProgramRun): Promise<RunAnswer> {
  const words = [process.execPath, program, JSON.stringify(order)];
  const who = ["--reuid", String(USER_ID), "--regid", String(USER_ID), "--clear-groups", "--"];
  const asked = isRoot && identity === "a user" ? ["setpriv", ...who, ...words] : words;
  const [file = "", ...args] = withDescriptors(asked, order.inherited ?? []);
  const options = { timeout: MAX_RUN_MS, env: { ...process.env, HOME: order.home } };
  return new Promise((resolve, reject) => {
    execFile(file, args, options, (error, stdout, stderr) => {
      if (error) reject(new Error(`${error.message}\n${stderr}`));
      // The program of the line above printed it.
      else resolve(JSON.parse(stdout) as RunAnswer);
    });
  });
}

/** As from a careless shell: open, and not closed for the next program. */
function withDescriptors(words: readonly string[], numbers: readonly number[]): string[] {
  if (numbers.length === 0) return [...words];
  const opened = numbers.map((number) => `${number}</`).join(" ");
  return ["bash", "-c", `exec ${opened}; exec "$@"`, "bash", ...words];
}
