// Files that the tool made, saved where the person wants them.

import { copyFile, rm } from "node:fs/promises";
import { dirname, extname, resolve } from "node:path";
import { errnoOf } from "../../../lib/errno.js";
import { makeFolder } from "../../../lib/make-folder.js";
import { toPrintable } from "../../../lib/printable.js";
import { readField, readList, readNumber, readText } from "../../../lib/read-field.js";
import { type CommandCall, show } from "../../command.js";
import { UsageError } from "../../failure.js";
import { toPlainLines } from "../../terminal/plain-lines.js";
import type { DaemonAnswer } from "./daemon/message.js";
import { printAnswer } from "./print-answer.js";
import { withPage } from "./with-caller.js";

const FOLDER_MODE = 0o777;
export const MAX_PATH_CHARS = 4_096;
const TYPES: Readonly<Record<string, "png" | "jpeg">> = {
  ".png": "png",
  ".jpg": "jpeg",
  ".jpeg": "jpeg",
};

export async function saveAs(
  file: string,
  { answer, isMoved = false }: { readonly answer: DaemonAnswer; readonly isMoved?: boolean },
): Promise<void> {
  const path = readText(answer.details, "path");
  if (path === undefined) throw new Error("The answer has no file");
  try {
    await makeFolder(dirname(file), FOLDER_MODE);
    await copyFile(path, file);
    if (isMoved && path !== file) await rm(path, { force: true });
  } catch (error) {
    const why = errnoOf(error);
    if (why === "") throw error;
    const shown = toPrintable(file, MAX_PATH_CHARS);
    throw new UsageError(`Cannot save ${shown} (${why}). Name another file.`);
  }
}

export async function saveScreenshot(call: CommandCall): Promise<number> {
  const file = resolve(call.place.cwd, call.words[0] ?? "");
  const type = TYPES[extname(file).toLowerCase()];
  if (type === undefined) throw new UsageError("The file must end in .png or .jpg.");
  return await withPage(call, async (ask, given) => {
    const answer = await ask({ action: "screenshot", type, ...given });
    if (answer.isError) return printAnswer(call, answer);
    await saveAs(file, { answer });
    const { details } = answer;
    const [width, height] = [readNumber(details, "width"), readNumber(details, "height")];
    const labels = readField(details, "annotations");
    return show(call, { path: file, width, height, labels }, () => [
      ...readList(details, "annotations").map((one) => toPlainLines(call.output, showLabel(one))),
      `Saved ${toPrintable(file, MAX_PATH_CHARS)} (${width}x${height}).`,
    ]);
  });
}

function showLabel(label: unknown): string {
  const words = ["ref", "role", "name"].map((name) => readText(label, name) ?? "");
  return `[${readNumber(label, "number") ?? ""}] ${words.join(" ").trim()}`;
}
