// The code that runs inside pages, as the text of one script: a module `inpage:source` for the build
// (esbuild) and for the tests (vite), made of src/drivers/browser/inpage.
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const NAME = "inpage:source";
const ENTRY = join(
  dirname(dirname(dirname(fileURLToPath(import.meta.url)))),
  "src/drivers/browser/inpage/engine.ts",
);
/** The oldest Chromium that is driven. */
const TARGET = "chrome120";

async function makeModule() {
  const { outputFiles } = await build({
    entryPoints: [ENTRY],
    bundle: true,
    write: false,
    minify: true,
    format: "iife",
    globalName: "clawInpage",
    target: TARGET,
  });
  return `export const INPAGE_SOURCE = ${JSON.stringify(outputFiles[0]?.text)};`;
}

/** @type {import("esbuild").Plugin} */
export const inpageForEsbuild = {
  name: NAME,
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^inpage:source$/ }, () => ({ path: NAME, namespace: NAME }));
    onLoad({ filter: /.*/, namespace: NAME }, async () => ({ contents: await makeModule() }));
  },
};

/** @type {import("vitest/config").Plugin} */
export const inpageForVite = {
  name: NAME,
  enforce: "pre",
  resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
  load: (id) => (id === `\0${NAME}` ? makeModule() : undefined),
};
