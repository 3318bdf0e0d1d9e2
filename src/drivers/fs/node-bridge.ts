// `createNodeBridge`: what a caller makes before anything is read. The bridge itself, and Node's file
// functions with it, are imported at the first use.

import { parse, resolve } from "node:path";
import { assertFolderText, forwardBridge, type WholeBridge } from "../../core/files/index.js";
import { ToolInputError, tooManyOpenFiles } from "../../core/index.js";
import { isOutOfFiles, loadWithRoom } from "../../lib/system/file-descriptors.js";
import { hasLoneSurrogate } from "../../lib/unicode-text.js";
import type { MachineProtection, ProtectionOptions } from "./protection.js";

export interface NodeBridgeOptions extends ProtectionOptions {
  /** Lifts containment: `root` is then only where relative paths start. */
  readonly allowOutside?: boolean;
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
  const stateDir = options.stateDir === undefined ? undefined : resolve(options.stateDir);
  const { protect, alsoProtect = [], loads = [] } = options;
  for (const text of [...(protect ?? []), ...alsoProtect, ...loads]) assertFolderText(text);
  let contained: WholeBridge | undefined;
  const load = async () => {
    LOADED.module ??= loadBridge();
    const { createContainedBridge } = await LOADED.module;
    contained ??= createContainedBridge({
      ...{ ...options, base, stateDir, spelled: root, container },
    });
    return contained;
  };
  return forwardBridge(load, { isWatched: true });
}

export async function readProtection(
  base: string,
  options: ProtectionOptions,
): Promise<MachineProtection> {
  const { createMachineProtection } = await import("./protection.js");
  return createMachineProtection({ ...options, base: resolve(base) });
}

async function loadBridge(): Promise<typeof import("./bridge.js")> {
  try {
    return await loadWithRoom(() => import("./bridge.js"));
  } catch (error) {
    delete LOADED.module;
    throw isOutOfFiles(error) ? tooManyOpenFiles(error) : error;
  }
}

/** Removes temporary files of dead processes from folders of a root. Never throws. */
export async function removeTemporaries(root: string, folders: readonly string[]): Promise<void> {
  const { tidyFolders } = await import("./temporaries/remove-temporaries.js");
  await tidyFolders(root, folders);
}
