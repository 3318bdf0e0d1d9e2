// What a stranger does: the files that git knows, in a folder with a space in its name, and
// `npm start` with nothing before it. It installs the locked packages and builds for real.
import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { getToolCatalog } from "clawtools";
import { afterAll, beforeAll, expect, it } from "vitest";
import { PROJECT_DIR } from "../fakes/run-node.js";

const LIMIT_MS = 240_000;
/** What npm and vitest set for the processes they start, and what a stranger would not have. */
const NOT_A_STRANGERS =
  /^(?:NODE_OPTIONS|NODE_ENV|NODE_V8_COVERAGE|INIT_CWD|FORCE_COLOR|VITE.*|TEST|npm_(?:command|execpath|node_execpath|lifecycle_.*|package_.*|config_local_prefix))$/;

interface StartRun {
  /** An address was printed. */
  readonly isServing: boolean;
  /** The ids of the list on stdout. */
  readonly shown: readonly string[];
  /** The lines on stderr that are not npm's own. */
  readonly said: readonly string[];
}

let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "clawtools fresh clone "));
  for (const path of listKnownFiles()) {
    mkdirSync(dirname(join(folder, "project", path)), { recursive: true });
    cpSync(join(PROJECT_DIR, path), join(folder, "project", path));
  }
}, LIMIT_MS);

afterAll(() => rm(folder, { recursive: true }), LIMIT_MS);

/** Asked of an empty repository of its own, so that the project itself need not be one. */
function listKnownFiles(): string[] {
  const repository = join(folder, "repository");
  execFileSync("git", ["init", "--quiet", "--bare", repository]);
  const scope = [`--git-dir=${repository}`, `--work-tree=${PROJECT_DIR}`];
  const words = ["ls-files", "--cached", "--others", "--exclude-standard", "-z"];
  const output = execFileSync("git", [...scope, ...words], { cwd: PROJECT_DIR, encoding: "utf8" });
  return output.split("\0").filter((path) => path !== "");
}

/** Until the server says how to stop it; then ^C. */
function npmStart(): Promise<StartRun> {
  const own = Object.entries(process.env).filter(([name]) => !NOT_A_STRANGERS.test(name));
  const child = spawn("npm", ["start"], {
    cwd: join(folder, "project"),
    // Packages that the npm cache of this machine has are not asked for again.
    env: {
      ...Object.fromEntries(own),
      npm_config_prefer_offline: "true",
      CLAWTOOLS_STATE_DIR: join(folder, "state"),
    },
    // As a terminal has it: ^C reaches npm and all that it has started.
    detached: true,
    timeout: LIMIT_MS,
  });
  let stdout = "";
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
    if (stdout.endsWith("Stop it with ^C.\n")) process.kill(-(child.pid ?? 0), "SIGINT");
  });
  return new Promise((resolve) => {
    child.once("close", () => {
      const shown = [...stdout.matchAll(/^ {2}[✓·] (\S+) /gmu)].map(([, id = ""]) => id);
      const said = stderr.split("\n").filter((line) => line !== "" && !line.startsWith("npm "));
      const isServing = stdout.includes("MCP server: http://127.0.0.1:");
      resolve({ isServing, shown: shown.sort(), said });
    });
  });
}

it("npm start sets up a fresh clone and says so, and the second time has nothing to say of it", {
  timeout: LIMIT_MS,
}, async () => {
  const known = getToolCatalog().map(({ id }) => id);
  const first = await npmStart();
  expect(first, first.said.join("\n")).toMatchObject({ isServing: true, shown: known.sort() });
  expect(first.said[0]).toContain("running npm ci");
  expect(first.said).toContainEqual(expect.stringMatching(/^Installing packages: done in \d+ s$/));
  expect(first.said).toContainEqual(expect.stringMatching(/^Building dist: done in \d+ s$/));
  expect(await npmStart()).toEqual({ isServing: true, shown: known, said: [] });
});
