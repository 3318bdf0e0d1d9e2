// `createNodeBridge`: what a caller makes before anything is read. The bridge itself, and Node's file
// functions with it, are imported at the first use.

import { parse, resolve } from "node:path";
import { type FsBridge, ToolInputError } from "../../core/index.js";
import { hasLoneSurrogate } from "../../lib/unicode-text.js";

export interface NodeBridgeOptions {
  /** Lifts containment: `root` is then only where relative paths start. */
  readonly allowOutside?: boolean;
}

/** `root` may be a link, and need not exist before the first use. Nothing has to be closed. */
export function createNodeBridge(root: string, options: NodeBridgeOptions = {}): FsBridge {
  if (typeof root !== "string" || root === "" || hasLoneSurrogate(root)) {
    throw new ToolInputError("createNodeBridge takes the path of a folder.", {
      reason: "root_invalid",
    });
  }
  // Now, because the working folder may be another one at the first use.
  const base = resolve(root);
  const container = options.allowOutside === true ? parse(base).root : base;
  let bridge: Promise<FsBridge> | undefined;
  const load = () => {
    bridge ??= import("./bridge.js").then(({ createContainedBridge }) =>
      createContainedBridge({ base, container }),
    );
    return bridge;
  };
  return {
    stat: async (path) => (await load()).stat(path),
    readFile: async (path) => (await load()).readFile(path),
    mkdirp: async (path) => (await load()).mkdirp(path),
    writeFile: async (request) => (await load()).writeFile(request),
  };
}
