// The packages that are copied into dist/vendor, one file each, so that nothing is looked up in a
// node_modules folder when a call first needs them; and the licences of all that is bundled.
import { readdirSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join } from "node:path";

const UNDICI = "undici/lib/dispatcher";
/** What is used of each. The files of undici: its main file would bring a second fetch. */
const VENDORED = {
  "@xterm/headless": 'export { Terminal } from "@xterm/headless";',
  chardet: 'export { detect } from "chardet";',
  croner: 'export { Cron } from "croner";',
  htmlparser2: 'export { Tokenizer } from "htmlparser2";',
  undici: `export { default as Pool } from "${UNDICI}/pool.js";
    export { default as ProxyAgent } from "${UNDICI}/proxy-agent.js";`,
  unpdf: 'export { getDocumentProxy } from "unpdf";',
  ws: 'export { WebSocket, WebSocketServer } from "ws";',
};
const LICENSE_FILE = /^(?:licen[cs]e|notice)/i;
const read = (path) => readFileSync(path, "utf8");
const PACKAGE = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/;

/** Leads an import of one of them to its file, by `imports` of package.json; `used` collects them. */
export const leadToVendor = (used) => ({
  name: "lead-to-vendor",
  setup({ onResolve }) {
    onResolve({ filter: /^[@\w]/ }, ({ path }) => {
      if (!Object.hasOwn(VENDORED, path)) return undefined;
      used.add(path);
      return { path: `#vendor/${path}`, external: true };
    });
  },
});

export function toVendorOptions({ options, used }) {
  const entryPoints = Object.fromEntries([...used].map((name) => [`vendor/${name}`, `of:${name}`]));
  const more = { chunkNames: "vendor/[name]-[hash]", minify: true, sourcemap: false };
  return { ...options, ...more, entryPoints, plugins: [reexport, requireBuiltin] };
}

const reexport = {
  name: "reexport",
  setup({ onResolve, onLoad, initialOptions }) {
    onResolve({ filter: /^of:/ }, ({ path }) => ({ path: path.slice(3), namespace: "of" }));
    onLoad({ filter: /.*/, namespace: "of" }, ({ path }) => ({
      contents: VENDORED[path],
      resolveDir: initialOptions.absWorkingDir,
    }));
  },
};

/** A module of Node that CommonJS asks for: a bundle of ES modules has no `require`. */
const requireBuiltin = {
  name: "require-builtin",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /.*/ }, ({ path, kind }) =>
      kind === "require-call" && isBuiltin(path) ? { path, namespace: "builtin" } : undefined,
    );
    onLoad({ filter: /.*/, namespace: "builtin" }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)});`,
    }));
  },
};

/** `inputs`: the names of bundled files, from the folder `root`. */
export function collectLicenses({ root, inputs }) {
  const folders = new Set(inputs.flatMap((input) => PACKAGE.exec(input) ?? []));
  const texts = [...folders].sort().map((folder) => {
    const { name, license, author } = JSON.parse(read(join(root, folder, "package.json")));
    const files = readdirSync(join(root, folder)).filter((file) => LICENSE_FILE.test(file));
    const parts = files.map((file) => read(join(root, folder, file)).trim());
    return [`${name}, ${license}, ${author?.name ?? author ?? ""}`, ...parts, ""].join("\n\n");
  });
  return texts.join(`${"-".repeat(80)}\n\n`);
}
