// `clawtools browser screenshot FILE`: a picture of a page, saved where the person wants it.

import { copyFile } from "node:fs/promises";
import { dirname, extname, resolve } from "node:path";
import { errnoOf } from "../../../lib/errno.js";
import { makeFolder } from "../../../lib/make-folder.js";
import { toPrintable } from "../../../lib/printable.js";
import { readField, readNumber, readText } from "../../../lib/read-field.js";
import type { HeldAnswer } from "../../browser/held/message.js";
import { printAnswer } from "../../browser/print-answer.js";
import { withPage } from "../../browser/with-caller.js";
import { type CommandCall, printJson } from "../../command-call.js";
import { UsageError } from "../../failure.js";
import { toPlainLines } from "../../plain-lines.js";

const TYPES: Readonly<Record<string, "png" | "jpeg">> = {
  ".png": "png",
  ".jpg": "jpeg",
  ".jpeg": "jpeg",
};
/** Less what the person takes from all new folders. */
const FOLDER_MODE = 0o777;
const MAX_PATH_CHARS = 4_096;

export async function run(call: CommandCall): Promise<number> {
  const { words, switches, texts, place } = call;
  const file = resolve(place.cwd, words[0] ?? "");
  const type = TYPES[extname(file).toLowerCase()];
  if (type === undefined) throw new UsageError("The file must end in .png or .jpg.");
  const given = {
    ...{ action: "screenshot", type },
    ...(switches.has("full") ? { fullPage: true } : {}),
    ...(switches.has("labels") ? { labels: true } : {}),
    ...(texts.ref === undefined ? {} : { ref: texts.ref }),
  };
  return await withPage(call, async (ask, where) => {
    const answer = await ask({ ...given, ...where });
    return answer.isError ? printAnswer(call, answer) : await save(call, { answer, file });
  });
}

async function save(
  call: CommandCall,
  { answer, file }: { readonly answer: HeldAnswer; readonly file: string },
): Promise<number> {
  const { output, switches } = call;
  const path = readText(answer.details, "path");
  if (path === undefined) throw new Error("The screenshot has no file");
  await copyTo(path, file);
  const [width, height] = [
    readNumber(answer.details, "width"),
    readNumber(answer.details, "height"),
  ];
  if (switches.has("json")) {
    printJson(output, {
      path: file,
      width,
      height,
      labels: readField(answer.details, "annotations"),
    });
    return 0;
  }
  for (const line of listLabels(answer.details)) output.print(toPlainLines(output, line));
  output.print(`Saved ${toPrintable(file, MAX_PATH_CHARS)} (${width}x${height}).`);
  return 0;
}

/** The folder is made; what the system refuses is said in its word. */
async function copyTo(path: string, file: string): Promise<void> {
  try {
    await makeFolder(dirname(file), FOLDER_MODE);
    await copyFile(path, file);
  } catch (error) {
    const why = errnoOf(error);
    if (why === "") throw error;
    const shown = toPrintable(file, MAX_PATH_CHARS);
    throw new UsageError(`The picture cannot be saved as ${shown} (${why}); name another file.`);
  }
}

/** `[1] e12 button Save`, for each number in the picture. */
function listLabels(details: unknown): string[] {
  const labels = readField(details, "annotations");
  if (!Array.isArray(labels)) return [];
  return labels.map((label: unknown) => {
    const words = ["ref", "role", "name"].map((name) => readText(label, name) ?? "");
    return `[${readNumber(label, "number") ?? ""}] ${words.join(" ").trim()}`;
  });
}
