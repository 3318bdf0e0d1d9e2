// `createNodeBridge`: what a caller makes before anything is read. The bridge itself, and Node's file
// functions with it, are imported at the first use.

import { parse, resolve } from "node:path";
import {
  assertFolderText,
  forwardBridge,
  ToolInputError,
  type WholeBridge,
} from "../../core/index.js";
import { hasLoneSurrogate } from "../../lib/unicode-text.js";

export interface NodeBridgeOptions {
  /** Lifts containment: `root` is then only where relative paths start. */
  readonly allowOutside?: boolean;
  /**
   * What no call may change: a name at any depth, or with a slash a place, relative to `root` or
   * absolute. Replaces the default list (`.git`, our own settings and state); `[]` protects nothing.
   */
  readonly protect?: readonly string[];
}

/** A memo for the whole process: whichever bridge they come through, calls begin in their order. */
const LOADED: { module?: Promise<typeof import("./bridge.js")> } = {};

/** `root` may be a link, and need not exist before the first use. Nothing has to be closed. */
export function createNodeBridge(root: string, options: NodeBridgeOptions = {}): WholeBridge {
  if (typeof root !== "string" || root === "" || hasLoneSurrogate(root)) {
    throw new ToolInputError("createNodeBridge takes the path of a folder.", {
      reason: "root_invalid",
    });
  }
  // Now, because the working folder may be another one at the first use.
  const base = resolve(root);
  const container = options.allowOutside === true ? parse(base).root : base;
  const protect = options.protect && [...options.protect];
  for (const text of protect ?? []) assertFolderText(text);
  let bridge: WholeBridge | undefined;
  return forwardBridge(async () => {
    LOADED.module ??= import("./bridge.js");
    const { createContainedBridge } = await LOADED.module;
    bridge ??= createContainedBridge({ base, container, protect });
    return bridge;
  });
}
