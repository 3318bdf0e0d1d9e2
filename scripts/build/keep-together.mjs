// Keeps what the main door loads in few files. esbuild makes a file for each set of entries that
// share a source, so that a door would load a dozen of them, and each costs every start its time.
import { readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { build } from "esbuild";

/**
 * A plugin for a build with the same options. Every entry but `apart`, also one behind import(),
 * says that it uses the hub: the sets are one then. It costs nothing, for what lies behind import()
 * is reached through a door, and the other doors load nearly all of the hub by themselves.
 */
export async function keepTogether({ options, hub, apart }) {
  const entries = await listEntries(options);
  const bound = new Set(entries.filter((file) => file !== hub && !apart.includes(file)));
  return {
    name: "keep-together",
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, ({ path }) => {
        if (!bound.has(path)) return undefined;
        const text = readFileSync(path, "utf8");
        // Behind the last line, so that the source map stays right.
        return { contents: `${text}import ${toSpecifier(path, hub)};\n`, loader: "ts" };
      });
    },
  };
}

/** Relative, because source maps show it, and they name no path of this machine. */
function toSpecifier(from, to) {
  const path = relative(dirname(from), to).split(sep).join("/");
  return JSON.stringify(path.startsWith(".") ? path : `./${path}`);
}

/** Known only after a build: who is behind import() is an entry too. */
async function listEntries(options) {
  const { metafile } = await build({ ...options, write: false, sourcemap: false, metafile: true });
  return Object.values(metafile.outputs)
    .filter(({ entryPoint }) => entryPoint !== undefined)
    .map(({ entryPoint }) => join(options.absWorkingDir, entryPoint));
}
