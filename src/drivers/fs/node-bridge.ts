// `createNodeBridge`: what a caller makes before anything is read. The bridge itself, and Node's file
// functions with it, are imported at the first use.

import { parse, resolve } from "node:path";
import { assertFolderText, forwardBridge, type WholeBridge } from "../../core/files/index.js";
import { ToolInputError, tooManyOpenFiles } from "../../core/index.js";
import { isOutOfFiles, loadWithRoom } from "../../lib/open-files.js";
import { hasLoneSurrogate } from "../../lib/unicode-text.js";
import type { MachineProtection, ProtectionOptions } from "./protection.js";

export interface NodeBridgeOptions {
  /** Lifts containment: `root` is then only where relative paths start. */
  readonly allowOutside?: boolean;
  /**
   * What no call may change: a name at any depth, or with a slash a place, relative to `root` or
   * absolute. Replaces the default list (`.git`, our own settings and state); `[]` protects nothing.
   */
  readonly protect?: readonly string[];
  /** Added to the list, whichever it is. */
  readonly alsoProtect?: readonly string[] | undefined;
  /**
   * A state folder: nothing in it is read or changed. So it is with that of this user, which
   * `protect` may free for changes.
   */
  readonly stateDir?: string | undefined;
  /** Folders of plugins, which are protected with the packages that they load. */
  readonly loads?: readonly string[] | undefined;
  /** `false` frees what configures clients and editors, such as `.mcp.json`. */
  readonly protectClientFiles?: boolean | undefined;
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
  const protection = toProtectionOptions(base, options);
  let contained: WholeBridge | undefined;
  const load = async () => {
    LOADED.module ??= loadBridge();
    const { createContainedBridge } = await LOADED.module;
    contained ??= createContainedBridge({
      ...{ ...protection, spelled: root, container },
    });
    return contained;
  };
  return forwardBridge(load, { isWatched: true });
}

/** The rule that a bridge with these options goes by, for what else works on its root. */
export async function readProtection(
  root: string,
  options: NodeBridgeOptions,
): Promise<MachineProtection> {
  const { createMachineProtection } = await import("./protection.js");
  return createMachineProtection(toProtectionOptions(resolve(root), options));
}

function toProtectionOptions(base: string, options: NodeBridgeOptions): ProtectionOptions {
  const { protect, alsoProtect = [], loads = [], protectClientFiles } = options;
  const stateDir = options.stateDir === undefined ? undefined : resolve(options.stateDir);
  for (const text of [...(protect ?? []), ...alsoProtect, ...loads]) assertFolderText(text);
  return {
    ...{ base, protect: protect && [...protect], alsoProtect: [...alsoProtect], stateDir },
    ...{ loads: loads.map((folder) => resolve(folder)), protectClientFiles },
  };
}

async function loadBridge(): Promise<typeof import("./bridge.js")> {
  try {
    return await loadWithRoom(() => import("./bridge.js"));
  } catch (error) {
    delete LOADED.module;
    throw isOutOfFiles(error) ? tooManyOpenFiles(error) : error;
  }
}

/**
 * Removes what writes of dead processes left in folders of a root, without a write of one's own.
 * Folders are relative to the root; what is not in it stays as it is. Never throws.
 */
export async function removeTemporaries(root: string, folders: readonly string[]): Promise<void> {
  const { tidyFolders } = await import("./temporaries/tidy-folders.js");
  await tidyFolders(root, folders);
}
