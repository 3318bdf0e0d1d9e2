// What a stranger does: the files that git knows, in a folder with a space in its name, and
// `npm start` with nothing before it. It installs the locked packages and builds for real.
import { execFile, execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { getToolCatalog } from "clawtools";
import { afterAll, beforeAll, expect, it } from "vitest";
import { PROJECT_DIR } from "../fakes/run-node.js";

const LIMIT_MS = 180_000;
/** What npm and vitest set for the processes they start, and what a stranger would not have. */
const NOT_A_STRANGERS =
  /^(?:NODE_OPTIONS|NODE_ENV|NODE_V8_COVERAGE|INIT_CWD|FORCE_COLOR|VITE.*|TEST|npm_(?:command|execpath|node_execpath|lifecycle_.*|package_.*|config_local_prefix))$/;

interface StartRun {
  readonly error: Error | null;
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

function npmStart(): Promise<StartRun> {
  const own = Object.entries(process.env).filter(([name]) => !NOT_A_STRANGERS.test(name));
  const options = {
    cwd: join(folder, "project"),
    // Packages that the npm cache of this machine has are not asked for again.
    env: { ...Object.fromEntries(own), npm_config_prefer_offline: "true" },
    timeout: LIMIT_MS,
  };
  return new Promise((resolve) => {
    execFile("npm", ["start"], options, (error, stdout, stderr) => {
      const shown = [...stdout.matchAll(/^ {2}[✓·] (\S+) /gmu)].map(([, id = ""]) => id);
      const said = stderr.split("\n").filter((line) => line !== "" && !line.startsWith("npm "));
      resolve({ error, shown: shown.sort(), said });
    });
  });
}

it("npm start sets up a fresh clone and says so, and the second time has nothing to say of it", {
  timeout: LIMIT_MS,
}, async () => {
  const known = getToolCatalog().map(({ id }) => id);
  const first = await npmStart();
  expect(first, first.said.join("\n")).toMatchObject({ error: null, shown: known.sort() });
  expect(first.said[0]).toContain("running npm ci");
  expect(first.said).toContainEqual(expect.stringMatching(/^Installing packages: done in \d+ s$/));
  expect(first.said).toContainEqual(expect.stringMatching(/^Building dist: done in \d+ s$/));
  expect(await npmStart()).toEqual({ error: null, shown: known, said: [] });
});
