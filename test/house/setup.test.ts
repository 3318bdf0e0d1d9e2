// The set-up of a fresh clone, driven in temporary folders with a recorded `run`, and once with real
// processes side by side.
import { spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

interface Step {
  readonly label: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string | undefined>>;
}
type Run = (step: Step) => Promise<void>;
type Say = (line: string) => void;
interface Missing {
  readonly package: string;
  readonly command: string;
  readonly why: string;
}
interface AptOptions {
  readonly job: string;
  readonly missing: readonly Missing[];
  readonly env: Readonly<Record<string, string>>;
  readonly isRoot: boolean;
  readonly canSudo: () => boolean;
  readonly run: Run;
  readonly say: Say;
}
interface LockOptions {
  readonly folder: string;
  readonly say: Say;
  readonly maxWaitMs?: number;
}
interface SetupPieces {
  setUp(
    options: Omit<AptOptions, "missing"> & { root: string; nodeVersion: string },
  ): Promise<void>;
  computeDistStamp(root: string): string;
  installDebianPackages(options: AptOptions): Promise<void>;
  withSetupLock<T>(options: LockOptions, work: () => T): Promise<T>;
  runWithProgress(step: Step, stream: Writable): Promise<void>;
}

const SCRIPTS = new URL("../../scripts/", import.meta.url);

async function loadPiece(name: string): Promise<SetupPieces> {
  // The scripts are plain JavaScript without declarations: this is the border where they get a type.
  return import(new URL(`setup/${name}.mjs`, SCRIPTS).href);
}

const { setUp } = await loadPiece("set-up");
const { computeDistStamp } = await loadPiece("dist-stamp");
const { installDebianPackages } = await loadPiece("apt");
const { withSetupLock } = await loadPiece("setup-lock");
const { runWithProgress } = await loadPiece("run-with-progress");

const NOBODY = 65_534;
const GIT: Missing = { package: "git", command: "git", why: "a test clones" };
const LOCK = JSON.stringify({
  packages: {
    "": {},
    "node_modules/a": { integrity: "sha512-a" },
    "node_modules/b": { optional: true },
  },
});

let root = "";

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "clawtools-setup-"));
  write("package.json", JSON.stringify({ engines: { node: ">=20.19" } }));
  write("package-lock.json", LOCK);
  write("src/public/index.ts", "// Door.\n");
  for (const command of ["git", "bwrap", "chromium", "zsh", "fish"]) {
    write(`bin/${command}`, "#!/bin/sh\n");
    chmodSync(join(root, "bin", command), 0o755);
  }
});

afterEach(() => rmSync(root, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

/** Does what npm ci and the build leave behind, and remembers what was asked. */
function record() {
  const steps: Step[] = [];
  const said: string[] = [];
  const run: Run = async (step) => {
    steps.push(step);
    if (step.args.includes("ci")) mkdirSync(join(root, "node_modules"), { recursive: true });
    if (step.label === "Building dist") write("dist/.stamp", computeDistStamp(root));
  };
  const options = {
    root,
    job: "test",
    env: { PATH: join(root, "bin") },
    nodeVersion: "20.19.0",
    isRoot: true,
    canSudo: () => false,
    run,
    say: (line: string) => void said.push(line),
  };
  return { steps, said, options };
}

describe("setUp", () => {
  it("installs and builds a fresh clone, then has nothing to do and is silent", async () => {
    const first = record();
    await setUp(first.options);
    expect(first.steps.map(({ command, args }) => [command, args[0]])).toEqual([
      ["npm", "ci"],
      [process.execPath, join(root, "scripts", "build.mjs")],
    ]);
    expect(first.said).toEqual([expect.stringContaining("npm ci")]);

    const second = record();
    await setUp(second.options);
    expect(second.steps).toEqual([]);
    expect(second.said).toEqual([]);
    expect(readdirSync(join(root, ".cache"))).toEqual([]);
  });

  it("installs again when package-lock.json has changed", async () => {
    await setUp(record().options);
    write("package-lock.json", LOCK.replace("sha512-a", "sha512-b"));
    const { steps, options } = record();
    await setUp(options);
    expect(steps.map(({ args }) => args[0])).toContain("ci");
  });

  it("leaves no stamp when the install fails, so that the next run installs again", async () => {
    const { options } = record();
    const fails = setUp({ ...options, run: () => Promise.reject(new Error("no network")) });
    await expect(fails).rejects.toThrow("no network");
    const { steps, options: again } = record();
    await setUp(again);
    expect(steps.map(({ args }) => args[0])).toContain("ci");
  });

  it("takes over an npm ci done by hand, which npm's own record shows", async () => {
    const installed = { packages: { "node_modules/a": { integrity: "sha512-a" } } };
    write("node_modules/.package-lock.json", JSON.stringify(installed));
    const { steps, options } = record();
    await setUp(options);
    expect(steps.map(({ label }) => label)).toEqual(["Building dist"]);
  });

  it("installs again when a package it needs is gone, whatever the stamp and npm's record say", async () => {
    const needs = { dependencies: { a: "1" }, devDependencies: { "@scope/b": "1" } };
    write("package.json", JSON.stringify({ engines: { node: ">=20.19" }, ...needs }));
    const installed = { packages: { "node_modules/a": { integrity: "sha512-a" } } };
    const install = () => {
      write("node_modules/.package-lock.json", JSON.stringify(installed));
      write("node_modules/a/package.json", "{}");
      write("node_modules/@scope/b/package.json", "{}");
    };
    install();
    await setUp(record().options);
    const calm = record();
    await setUp(calm.options);
    expect(calm.steps).toEqual([]);

    rmSync(join(root, "node_modules/@scope/b"), { recursive: true });
    const { steps, options } = record();
    const run: Run = async (step) => {
      await options.run(step);
      if (step.args.includes("ci")) install();
    };
    await setUp({ ...options, run });
    expect(steps.map(({ args }) => args[0])).toEqual(["ci"]);
    const after = record();
    await setUp(after.options);
    expect(after.steps).toEqual([]);
  });

  it("does not take over packages whose record was only half written", async () => {
    write("node_modules/.package-lock.json", '{"packages":{"node_mod');
    const { steps, options } = record();
    await setUp(options);
    expect(steps.map(({ args }) => args[0])).toContain("ci");
  });

  it("does not take over packages of another version", async () => {
    const installed = { packages: { "node_modules/a": { integrity: "sha512-old" } } };
    write("node_modules/.package-lock.json", JSON.stringify(installed));
    const { steps, options } = record();
    await setUp(options);
    expect(steps.map(({ args }) => args[0])).toContain("ci");
  });

  it("builds again when a source has changed, but not for a test", async () => {
    await setUp(record().options);
    write("src/public/index.test.ts", "// Test.\n");
    const untouched = record();
    await setUp(untouched.options);
    expect(untouched.steps).toEqual([]);

    write("src/public/index.ts", "// Another door.\n");
    const { steps, options } = record();
    await setUp(options);
    expect(steps.map(({ label }) => label)).toEqual(["Building dist"]);
  });

  it("says in one sentence that Node is too old", async () => {
    const { options } = record();
    await expect(setUp({ ...options, nodeVersion: "20.9.1" })).rejects.toThrow(
      /^This project needs Node 20\.19 or newer; this is Node 20\.9\.1\. [^.]+\.$/,
    );
  });

  it("fails a test run that lacks a Debian package, with the command to type", async () => {
    const { steps, said, options } = record();
    const env = { PATH: join(root, "nowhere"), CLAWTOOLS_SETUP_APT: "0" };
    await expect(setUp({ ...options, env })).rejects.toThrow(
      "CLAWTOOLS_SETUP_APT=0 forbids installing it here. On Debian, type: apt-get update && apt-get install -y --no-install-recommends git",
    );
    expect(said).toContainEqual(expect.stringContaining('"git"'));
    expect(steps.map(({ command }) => command)).not.toContain("apt-get");
  });
});

describe("installDebianPackages", () => {
  function aptOptions() {
    write("bin/apt-get", "#!/bin/sh\n");
    chmodSync(join(root, "bin/apt-get"), 0o755);
    const { steps, said, options } = record();
    return { steps, said, options: { ...options, missing: [GIT] } };
  }

  it("updates once and installs without recommended packages", async () => {
    const { steps, options } = aptOptions();
    await installDebianPackages(options);
    expect(steps.map(({ command, args }) => [command, ...args].join(" "))).toEqual([
      "apt-get update",
      "apt-get install -y --no-install-recommends git",
    ]);
  });

  it("goes through sudo when it is not root and sudo asks nothing", async () => {
    const { steps, options } = aptOptions();
    await installDebianPackages({ ...options, isRoot: false, canSudo: () => true });
    expect(steps.map(({ command, args }) => [command, ...args.slice(0, 2)].join(" "))).toEqual([
      "sudo -n apt-get",
      "sudo -n apt-get",
    ]);
  });

  it("tells a user without root what to type", async () => {
    const { steps, options } = aptOptions();
    await expect(installDebianPackages({ ...options, isRoot: false })).rejects.toThrow(
      "On Debian, type: sudo apt-get update && sudo apt-get install -y --no-install-recommends git",
    );
    expect(steps).toEqual([]);
  });

  it("only warns where the job can do without", async () => {
    const { said, options } = aptOptions();
    await installDebianPackages({ ...options, job: "start", isRoot: false });
    expect(said).toEqual([expect.stringContaining('"git"'), expect.stringContaining("type: ")]);
  });
});

describe("withSetupLock", () => {
  const deadPid = () => spawnSync(process.execPath, ["-e", "0"]).pid;

  it("takes over the lock of a dead process and leaves nothing behind", async () => {
    const folder = join(root, ".cache", "setup.lock");
    write(".cache/setup.lock/pid", String(deadPid()));
    const said: string[] = [];
    const inside = () => readFileSync(join(folder, "pid"), "utf8");
    const owner = await withSetupLock({ folder, say: (line) => void said.push(line) }, inside);
    expect(owner).toBe(String(process.pid));
    expect(said).toEqual([]);
    expect(readdirSync(join(root, ".cache"))).toEqual([]);
  });

  it("names the holder and the folder when a living process keeps the lock too long", async () => {
    const folder = join(root, ".cache", "setup.lock");
    write(".cache/setup.lock/pid", String(process.ppid));
    const wait = withSetupLock({ folder, say: () => undefined, maxWaitMs: 0 }, () => "never");
    await expect(wait).rejects.toThrow(`(process ${process.ppid}) still holds ${folder}`);
    expect(existsSync(folder)).toBe(true);
  });

  it.each([
    ["an empty pid", "pid", ""],
    ["a pid that is no number", "pid", "garbage\n"],
    ["pid 0, which would mean this process group", "pid", "0"],
    ["no pid at all", "other", "x"],
  ])("takes over an old lock with %s", async (_what, name, text) => {
    const folder = join(root, ".cache", "setup.lock");
    write(`.cache/setup.lock/${name}`, text);
    utimesSync(folder, 0, 0);
    const options = { folder, say: () => undefined, maxWaitMs: 2_000 };
    expect(await withSetupLock(options, () => "done")).toBe("done");
    expect(readdirSync(join(root, ".cache"))).toEqual([]);
  });

  it("does not wait for ever for a fresh lock that names nobody", async () => {
    const folder = join(root, ".cache", "setup.lock");
    write(".cache/setup.lock/pid", "");
    const wait = withSetupLock({ folder, say: () => undefined, maxWaitMs: 0 }, () => "never");
    await expect(wait).rejects.toThrow(`(process unknown) still holds ${folder}`);
  });

  it("frees the lock when the work fails", async () => {
    const folder = join(root, ".cache", "setup.lock");
    const work = () => Promise.reject(new Error("broken"));
    await expect(withSetupLock({ folder, say: () => undefined }, work)).rejects.toThrow("broken");
    expect(existsSync(folder)).toBe(false);
  });
});

describe("runWithProgress", () => {
  function sink() {
    const chunks: string[] = [];
    const stream = new Writable({
      write: (chunk, _encoding, done) => {
        chunks.push(String(chunk));
        done();
      },
    });
    return { stream, text: () => chunks.join("") };
  }
  const script = (code: number) => ["-e", `console.log("inner words"); process.exit(${code})`];

  it("says what it does and how long it took, and keeps the command's words to itself", async () => {
    const { stream, text } = sink();
    await runWithProgress({ label: "Step", command: process.execPath, args: script(0) }, stream);
    expect(text()).toMatch(/^Step \.\.\.\nStep: done in \d+ s\n$/);
  });

  it("hands over the command's words when it fails", async () => {
    const { stream, text } = sink();
    const step = { label: "Step", command: process.execPath, args: script(3) };
    await expect(runWithProgress(step, stream)).rejects.toThrow(/inner words\n.*failed \(3\)\.$/);
    expect(text()).toContain("Step: failed");
  });
});

describe("scripts/setup.mjs", () => {
  it("installs and builds once when two set-ups start at the same time", async () => {
    cpSync(fileURLToPath(SCRIPTS), join(root, "scripts"), { recursive: true });
    write("scripts/build.mjs", BUILD_STAND_IN);
    write("bin/npm", NPM_STAND_IN);
    chmodSync(join(root, "bin/npm"), 0o755);
    const codes = await Promise.all([runSetup("start"), runSetup("test")]);
    expect(codes).toEqual([0, 0]);
    expect(readFileSync(join(root, "npm.log"), "utf8")).toBe("ci\n");
    expect(readFileSync(join(root, "build.log"), "utf8")).toBe("built\n");
  });

  it("says in one sentence that it may not write here", () => {
    cpSync(fileURLToPath(SCRIPTS), join(root, "scripts"), { recursive: true });
    chmodSync(root, 0o555);
    try {
      const { status, stderr } = spawnSync(
        process.execPath,
        [join(root, "scripts", "setup.mjs"), "start"],
        // Root may write everywhere, so it runs this as somebody else.
        { encoding: "utf8", ...(process.getuid?.() === 0 && { uid: NOBODY, gid: NOBODY }) },
      );
      expect(stderr).toBe(
        `The set-up failed at ${join(root, ".cache")} (mkdir, EACCES): use a folder in which you may write, or run the command as its owner.\n`,
      );
      expect(status).toBe(1);
    } finally {
      chmodSync(root, 0o755);
    }
  });
});

/** Goes on only when the other set-up has said that it waits; gives up after some seconds. */
const NPM_STAND_IN = `#!/bin/sh
echo "$1" >> npm.log
tries=0
until [ -e other-waits ]; do
  tries=$((tries + 1))
  [ $tries -lt 200 ] || exit 1
  sleep 0.05
done
mkdir -p node_modules
`;

const BUILD_STAND_IN = `// Leaves what the real build leaves for the set-up.
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { computeDistStamp } from "./setup/dist-stamp.mjs";
appendFileSync("build.log", "built\\n");
mkdirSync("dist", { recursive: true });
writeFileSync("dist/.stamp", computeDistStamp("."));
`;

function runSetup(job: string): Promise<number | null> {
  const child = spawn(process.execPath, [join(root, "scripts", "setup.mjs"), job], {
    env: { PATH: `${join(root, "bin")}:${process.env.PATH ?? ""}` },
    stdio: ["ignore", "ignore", "pipe"],
  });
  child.stderr.on("data", (chunk) => {
    if (String(chunk).includes("waiting for it")) write("other-waits", "");
  });
  return new Promise((resolve) => child.once("close", resolve));
}
