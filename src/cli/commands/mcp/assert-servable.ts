// Refuses to serve the home folder or the state folder unless it is named with --root.

import { realpathSync } from "node:fs";
import { userInfo } from "node:os";
import { stateDir } from "../../../config/index.js";
import { isToolError } from "../../../core/index.js";
import { isInside } from "../../../lib/paths.js";
import { toPrintable } from "../../../lib/printable.js";
import type { CommandCall } from "../../command.js";
import { UsageError } from "../../failure.js";

export function assertServable({ root, texts, place }: CommandCall): void {
  if (texts.root !== undefined) return;
  const real = realOf(root);
  const homes = [place.homeDir, readOwnHome()].flatMap((home) => home || []);
  const holdsHome = homes.some((home) => isInside(realOf(home), real));
  const state = findState(place);
  const isState = state !== undefined && isInside(real, realOf(state));
  if (!isState && real !== "/" && !holdsHome) return;
  const what = isState ? "is the state folder of clawtools" : "holds the home folder";
  throw new UsageError(
    `The working folder "${toPrintable(root)}" ${what}, so it is not served unasked. Change to a project, or name a folder with --root.`,
  );
}

function findState(place: CommandCall["place"]): string | undefined {
  try {
    return stateDir(place);
  } catch (error) {
    if (isToolError(error)) return undefined;
    throw error;
  }
}

/** The system's own entry, whatever HOME says. */
function readOwnHome(): string | undefined {
  try {
    return userInfo().homedir;
  } catch {
    // The user has no entry.
    return undefined;
  }
}

function realOf(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch {
    // Opening a missing folder reports it.
    return folder;
  }
}
