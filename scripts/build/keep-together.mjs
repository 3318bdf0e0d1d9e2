// Keeps what the package and the command line load at their start in few files. esbuild makes one
// file for each set of entries that share a source, and every file costs every start its time.
import { readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { build } from "esbuild";

/** A command loads only the layers it needs; all else loads the last, which is what the hub loads. */
const LAYERS = ["src/core/index.ts", "src/config/index.ts", "src/toolkit/index.ts"];
const HUB = "src/public/index.ts";
const PROGRAM = "src/cli/";
const MAIN = "src/cli/main.ts";

/**
 * A plugin for a build with the same options. Every entry, also one behind import(), says that it
 * uses all sources of its layer, so that these have one set of entries. Nothing is loaded by that:
 * the package has no side effects.
 */
export async function keepTogether(options) {
  const { metafile } = await build({ ...options, sourcemap: false });
  const bound = bindEntries(metafile);
  return {
    name: "keep-together",
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const sources = bound.get(relative(options.absWorkingDir, path).split(sep).join("/"));
        if (!sources) return undefined;
        // Behind the last line, so that the source map stays right.
        const imports = sources.map((source) =>
          toImport(path, join(options.absWorkingDir, source)),
        );
        return { contents: `${readFileSync(path, "utf8")}${imports.join("")}\n`, loader: "ts" };
      });
    },
  };
}

/** For each entry the sources that it has to name. */
function bindEntries(metafile) {
  const entries = Object.values(metafile.outputs).flatMap(({ entryPoint }) => entryPoint ?? []);
  const hub = listStaticSources(metafile, HUB);
  const commands = entries
    .filter((entry) => entry.startsWith(PROGRAM))
    .map((entry) => ({ entry, loads: listStaticSources(metafile, entry) }))
    .map((command) => ({
      ...command,
      layer: LAYERS.findLastIndex((top) => command.loads.has(top)),
    }));
  const last = LAYERS.length - 1;
  const contents = LAYERS.map((_, layer) =>
    layer === last
      ? hub
      : new Set(commands.flatMap((command) => loadsOfLayer(command, layer, hub))),
  );
  const toSources = (entry) => {
    // A room behind import() that a command also loads at its start must not lead it to more.
    const layers = commands.filter(({ loads }) => loads.has(entry)).map(({ layer }) => layer);
    const sources = contents[Math.min(last, ...layers)] ?? [];
    const main = entry.startsWith(PROGRAM) && entries.includes(MAIN) ? [MAIN] : [];
    return [...sources, ...main].filter((source) => source !== entry);
  };
  return new Map(
    entries.filter((entry) => entry !== HUB).map((entry) => [entry, toSources(entry)]),
  );
}

function loadsOfLayer(command, layer, hub) {
  const isBelow = command.layer >= 0 && command.layer <= layer;
  // Tools and drivers belong to the last layer, also where one command of a lower layer names them.
  const isOfLayer = (source) => hub.has(source) && !/^src\/(?:tools|drivers)\//.test(source);
  return isBelow ? [...command.loads].filter(isOfLayer) : [];
}

function listStaticSources(metafile, entry) {
  const found = new Set([entry]);
  for (const source of found) {
    for (const { kind, path, external } of metafile.inputs[source]?.imports ?? []) {
      if (kind === "import-statement" && !external && path.endsWith(".ts")) found.add(path);
    }
  }
  return found;
}

/** Relative, because source maps show it, and they name no path of this machine. */
function toImport(from, to) {
  const path = relative(dirname(from), to).split(sep).join("/");
  return `import ${JSON.stringify(path.startsWith(".") ? path : `./${path}`)};`;
}
