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

const MAIN = join("cli", "main");
/** The command line, and what `npm start` shows. They share their chunks with the doors. */
const PROGRAMS = [MAIN, join("cli", "start")];

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

function listEntries() {
  const doors = readdirSync(join(root, "src", "public"))
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .map((name) => [name.replace(/\.ts$/, ""), join(root, "src", "public", name)]);
  const programs = PROGRAMS.map((name) => [name, join(root, "src", `${name}.ts`)]);
  return Object.fromEntries([...doors, ...programs.filter(([, file]) => existsSync(file))]);
}

function toBuildOptions(entryPoints) {
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
    chunkNames: "chunks/[name]-[hash]",
    sourcemap: "linked",
    legalComments: "none",
    // For the size of the package; names stay, so that a stack can be read.
    minifyWhitespace: true,
    // Node prints the line that threw: without a limit that is the whole file.
    lineLimit: 500,
    minifySyntax: true,
    logLevel: "warning",
    plugins: [inpageForEsbuild, leadToVendor(vendored)],
    // What `keepTogether` adds is such an import.
    logOverride: { "ignored-bare-import": "silent" },
  };
}

async function emitEntries() {
  const options = toBuildOptions(listEntries());
  return emitBundles({ ...options, plugins: [...options.plugins, await keepTogether(options)] });
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
  return emitBundles(toVendorOptions({ options: toBuildOptions({}), used: vendored }));
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
    emitEntries(),
    emitDeclarations({ root, folder: join(draft, "types") }),
  ]);
  const failed = outcomes.find(({ status }) => status === "rejected");
  if (failed) throw failed.reason;
  const made = [outcomes[0].value, await emitVendor()];
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
