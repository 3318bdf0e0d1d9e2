// The file that a redirect means: inside the root, a regular file or none yet, of one name only where
// it is written, and never one that is protected.

import { type BigIntStats, lstatSync } from "node:fs";
import type { CommandRefusal, PlanRedirect, ScannedRedirect } from "../../core/command/index.js";
import { howToFree, type Protection } from "../../core/files/index.js";
import { isInside } from "../../lib/is-inside.js";
import { findRealPath } from "./real-path.js";
import { refuse } from "./refusal.js";

const NULL_DEVICE = "/dev/null";

export function settleRedirect(
  redirect: ScannedRedirect,
  place: { readonly cwd: string; readonly root: string; readonly protection: Protection },
): PlanRedirect | CommandRefusal {
  if (redirect.kind === "duplicate") return redirect;
  const { kind, fd, target } = redirect;
  const { text } = target;
  if (text === NULL_DEVICE) return { kind, fd, path: NULL_DEVICE };
  const path = /\/\.{0,2}$|^\.{1,2}$/.test(text) ? undefined : findRealPath(text, place.cwd);
  // A shell opens some names below /dev by itself.
  if (path === undefined || !isInside(path, place.root) || /^\/(?:dev|proc)\//.test(text)) {
    return refuse("redirect_outside_root", `The redirect to "${text}" does not stay in the root.`);
  }
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  const why = judgeFile(stats, kind);
  if (why) return refuse("redirect_file", `The redirect to "${text}" is not possible: ${why}.`);
  const { protection } = place;
  const sealed = protection.findRead(path, stats);
  if (sealed) return refuse("redirect_protected", `"${text}" is protected: ${sealed} is not read.`);
  const name = kind === "read" ? undefined : protection.findChange(path, stats);
  if (name === undefined) return { kind, fd, path };
  const message = `The redirect to "${text}" would change ${name}, which is protected; choose another path${howToFree(name)}.`;
  return refuse("redirect_protected", message);
}

function judgeFile(
  stats: BigIntStats | undefined,
  kind: "read" | "write" | "append",
): string | undefined {
  if (stats === undefined) return undefined;
  if (!stats.isFile()) return "it is not a regular file";
  return kind !== "read" && stats.nlink > 1n ? "the file has another name elsewhere" : undefined;
}
