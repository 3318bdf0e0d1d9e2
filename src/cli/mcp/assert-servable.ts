// Which folder may be served without being named: not one that holds everything of this user.

import { realpathSync } from "node:fs";
import { isInside } from "../../lib/is-inside.js";
import { toPrintable } from "../../lib/printable.js";
import type { CommandCall } from "../command-call.js";
import { UsageError } from "../failure.js";

/** Throws a UsageError. */
export function assertServable({ root, texts, place }: CommandCall): void {
  if (texts.root !== undefined) return;
  const real = realOf(root);
  const holdsHome = place.homeDir !== undefined && isInside(realOf(place.homeDir), real);
  if (real !== "/" && !holdsHome) return;
  throw new UsageError(
    `The working folder "${toPrintable(root)}" holds the home folder, so it is not served unasked. Change to a project, or name a folder with --root.`,
  );
}

function realOf(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch {
    // One that is missing is told of by whoever opens it.
    return folder;
  }
}
