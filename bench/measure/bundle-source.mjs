// Bundles one source file as the build would and imports it: for parts no door exports.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { listExternalPackages } from "../../scripts/build/external-packages.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));

export async function importSource(path) {
  const folder = join(root, ".cache", "bench");
  mkdirSync(folder, { recursive: true });
  const outfile = join(folder, `${path.replaceAll("/", "-").replace(/\.ts$/, "")}.mjs`);
  await build({
    entryPoints: [join(root, path)],
    outfile,
    bundle: true,
    external: listExternalPackages(root),
    format: "esm",
    platform: "node",
    logLevel: "error",
  });
  return import(pathToFileURL(outfile).href);
}
