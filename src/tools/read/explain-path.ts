// Why a path cannot be read, and the one file that is meant all the same: its name looks like the one
// that was asked for. What else is near is told by what file tools share.

import {
  describeMissing,
  fileMissing,
  findVariants,
  lookAround,
  toPlainLetters,
  toPlainPath,
} from "../../core/files/index.js";
import { type FsBridge, type FsPath, type ToolError, ToolInputError } from "../../core/index.js";
import { toPrintable } from "../../lib/printable.js";

const MAX_SHOWN = 20;

/** The path of the one file whose name looks the same; throws when there is none, or more than one. */
export async function findVariant(bridge: FsBridge, file: FsPath): Promise<string> {
  const around = await lookAround(bridge, file);
  if (!around) throw fileMissing(file.filePath);
  const { folder, name, rest, entries } = around;
  const files = entries.filter(({ type }) => type === "file").map((entry) => entry.name);
  const variants = rest.length === 0 ? findVariants(name, files) : [];
  const toPath = (own: string) => toPlainPath(`${folder}/${own}`);
  const [variant] = variants;
  if (variant === undefined) throw await describeMissing(bridge, { file, around });
  if (variants.length > 1) throw ambiguous(file.filePath, variants.map(toPath));
  return toPath(variant);
}

function ambiguous(path: string, variants: readonly string[]): ToolError {
  const shown = variants.slice(0, MAX_SHOWN).map(toPlainLetters).join(", ");
  return new ToolInputError(
    `"${toPrintable(path)}" does not exist, and more than one name looks like it: ${shown}. Name one of them.`,
    { reason: "path_ambiguous", details: { variants: variants.slice(0, MAX_SHOWN) } },
  );
}
