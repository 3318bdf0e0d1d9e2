// Builds dist: one bundle per package door and the command line (esbuild), declarations (tsc).
// Everything is made in a folder apart and put in place by rename.
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { emitDeclarations } from "./build/declarations.mjs";
import { findEagerInputs } from "./build/eager-inputs.mjs";
import { swapFolder } from "./build/swap-folder.mjs";
import { computeDistStamp, STAMP_NAME } from "./setup/dist-stamp.mjs";

const TARGET = "node20.19";

const COMMAND_LINE = join("cli", "start");

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, "dist");
const draft = join(root, ".cache", `build-${process.pid}`);

function listEntryPoints() {
  const doors = readdirSync(join(root, "src", "public"))
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .map((name) => [name.replace(/\.ts$/, ""), join(root, "src", "public", name)]);
  const commandLine = join(root, "src", `${COMMAND_LINE}.ts`);
  if (existsSync(commandLine)) doors.push([COMMAND_LINE, commandLine]);
  return Object.fromEntries(doors);
}

async function emitBundles() {
  const { outputFiles, metafile } = await build({
    entryPoints: listEntryPoints(),
    absWorkingDir: root,
    // The files are written below; naming the final place keeps the paths in the source maps right.
    outdir: dist,
    write: false,
    metafile: true,
    bundle: true,
    format: "esm",
    platform: "node",
    target: TARGET,
    splitting: true,
    chunkNames: "chunks/[name]-[hash]",
    sourcemap: "linked",
    legalComments: "none",
    logLevel: "warning",
  });
  for (const file of outputFiles) {
    const place = join(draft, relative(dist, file.path));
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, file.contents);
  }
  const commandLine = join(draft, `${COMMAND_LINE}.js`);
  if (existsSync(commandLine)) chmodSync(commandLine, 0o755);
  return metafile;
}

/** Waits for both also when one has failed, so that nobody writes into a removed folder. */
async function emitAll() {
  const outcomes = await Promise.allSettled([
    emitBundles(),
    emitDeclarations({ root, folder: join(draft, "types") }),
  ]);
  const failed = outcomes.find(({ status }) => status === "rejected");
  if (failed) throw failed.reason;
  return outcomes[0].value;
}

function assertLazy(metafile) {
  const eager = findEagerInputs(metafile, ["dist/index.js", "dist/cli/start.js"]);
  if (eager.length === 0) return;
  const list = eager.map(({ output, input }) => `  ${output} loads ${input}`).join("\n");
  throw new Error(`Importing the package must not load what only a call needs:\n${list}`);
}

try {
  const stamp = computeDistStamp(root);
  mkdirSync(draft, { recursive: true });
  const metafile = await emitAll();
  assertLazy(metafile);
  writeFileSync(join(draft, STAMP_NAME), stamp);
  await swapFolder({ draft, place: dist, retired: `${draft}-old` });
} catch (error) {
  // esbuild has printed its own errors already, with the lines they are about.
  if (!error.errors) console.error(error.message);
  process.exitCode = 1;
} finally {
  rmSync(draft, { recursive: true, force: true });
}
