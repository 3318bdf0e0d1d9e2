// Builds dist: one bundle per package door and the command line (esbuild), declarations (tsc).
// Everything is made in a folder apart and put in place by rename.
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { emitDeclarations } from "./build/declarations.mjs";
import { findEagerInputs } from "./build/eager-inputs.mjs";
import { inpageForEsbuild } from "./build/inpage-source.mjs";
import { keepTogether } from "./build/keep-together.mjs";
import { swapFolder } from "./build/swap-folder.mjs";
import { collectLicenses, leadToVendor, toVendorOptions } from "./build/vendor.mjs";
import { computeDistStamp, STAMP_NAME } from "./setup/dist-stamp.mjs";

const TARGET = "node20.19";

/** What `npm start` shows; it is bundled with the doors. */
const START = join("cli", "start");
/** The command line; it is bundled apart, or the doors would load what it alone uses of a room. */
const MAIN = join("cli", "main");

/** What `bin` of package.json names. It is no source: it would do its work when it is imported. */
const BIN = join("cli", "bin.js");
const BIN_TEXT = `#!/usr/bin/env node
import { main } from "./main.js";
await main();
`;

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, "dist");
const draft = join(root, ".cache", `build-${process.pid}`);
/** Found while the bundles are made. */
const vendored = new Set();

function listDoors() {
  const doors = readdirSync(join(root, "src", "public"))
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .map((name) => [name.replace(/\.ts$/, ""), join(root, "src", "public", name)]);
  return Object.fromEntries([...doors, ...listProgram(START)]);
}

/** Nothing when the program is not there. */
function listProgram(name) {
  const file = join(root, "src", `${name}.ts`);
  return existsSync(file) ? [[name, file]] : [];
}

function toBuildOptions({ entryPoints, chunks }) {
  return {
    entryPoints,
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
    chunkNames: `${chunks}/[name]-[hash]`,
    sourcemap: "linked",
    legalComments: "none",
    logLevel: "warning",
    plugins: [inpageForEsbuild, leadToVendor(vendored)],
    // What `keepTogether` adds is such an import.
    logOverride: { "ignored-bare-import": "silent" },
  };
}

/** The door for tests stays apart: who loads it alone needs neither tools nor config. */
async function emitDoors() {
  const entryPoints = listDoors();
  const options = toBuildOptions({ entryPoints, chunks: "chunks" });
  const plugin = await keepTogether({
    options,
    hub: entryPoints.index,
    apart: [entryPoints.testing],
  });
  return emitBundles({ ...options, plugins: [...options.plugins, plugin] });
}

function emitProgram() {
  const entryPoints = Object.fromEntries(listProgram(MAIN));
  return emitBundles(toBuildOptions({ entryPoints, chunks: "cli/chunks" }));
}

async function emitBundles(options) {
  const { outputFiles, metafile } = await build(options);
  for (const file of outputFiles) {
    const place = join(draft, relative(dist, file.path));
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, file.contents);
  }
  return metafile;
}

function emitVendor() {
  const options = toBuildOptions({ entryPoints: {}, chunks: "" });
  return emitBundles(toVendorOptions({ options, used: vendored }));
}

function emitBin() {
  if (!existsSync(join(draft, `${MAIN}.js`))) return;
  const place = join(draft, BIN);
  writeFileSync(place, BIN_TEXT);
  chmodSync(place, 0o755);
}

/** Waits for all also when one has failed, so that nobody writes into a removed folder. */
async function emitAll() {
  const outcomes = await Promise.allSettled([
    emitDoors(),
    emitProgram(),
    emitDeclarations({ root, folder: join(draft, "types") }),
  ]);
  const failed = outcomes.find(({ status }) => status === "rejected");
  if (failed) throw failed.reason;
  const made = [outcomes[0].value, outcomes[1].value, await emitVendor()];
  const inputs = made.flatMap(({ inputs }) => Object.keys(inputs));
  writeFileSync(join(draft, "third-party-licenses.txt"), collectLicenses({ root, inputs }));
  return { outputs: Object.assign({}, ...made.map(({ outputs }) => outputs)) };
}

function assertLazy(metafile) {
  const eager = findEagerInputs(metafile, [
    "dist/index.js",
    "dist/cli/start.js",
    "dist/cli/main.js",
  ]);
  if (eager.length === 0) return;
  const list = eager.map(({ output, input }) => `  ${output} loads ${input}`).join("\n");
  throw new Error(`Importing the package must not load what only a call needs:\n${list}`);
}

try {
  const stamp = computeDistStamp(root);
  mkdirSync(draft, { recursive: true });
  const metafile = await emitAll();
  assertLazy(metafile);
  emitBin();
  writeFileSync(join(draft, STAMP_NAME), stamp);
  await swapFolder({ draft, place: dist, retired: `${draft}-old` });
} catch (error) {
  // esbuild has printed its own errors already, with the lines they are about.
  if (!error.errors) console.error(error.message);
  process.exitCode = 1;
} finally {
  rmSync(draft, { recursive: true, force: true });
}
