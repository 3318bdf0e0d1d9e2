// Bundles source files as the build would and imports them: for parts no door exports.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { leadToVendor } from "../../scripts/build/vendor.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));

export async function importSource(path) {
  const [module] = await importSources([path]);
  return module;
}

/** What several of them use is there once. */
export async function importSources(paths) {
  const names = paths.map((path) => path.replaceAll("/", "-").replace(/\.ts$/, ""));
  const outdir = join(root, ".cache", "bench", names[0]);
  mkdirSync(outdir, { recursive: true });
  await build({
    entryPoints: Object.fromEntries(paths.map((path, index) => [names[index], join(root, path)])),
    outdir,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    plugins: [leadToVendor(new Set())],
    format: "esm",
    platform: "node",
    logLevel: "error",
  });
  return Promise.all(names.map((name) => import(pathToFileURL(join(outdir, `${name}.mjs`)).href)));
}
