// `clawtools browser screenshot FILE`: a picture of a page, saved where the person wants it.

import { extname, resolve } from "node:path";
import { toPrintable } from "../../../lib/printable.js";
import { readField, readNumber, readText } from "../../../lib/read-field.js";
import { printAnswer } from "../../browser/print-answer.js";
import { MAX_PATH_CHARS, saveAs } from "../../browser/save-as.js";
import { withPage } from "../../browser/with-caller.js";
import { type CommandCall, printJson } from "../../command-call.js";
import { UsageError } from "../../failure.js";
import { toPlainLines } from "../../plain-lines.js";

const TYPES: Readonly<Record<string, "png" | "jpeg">> = {
  ".png": "png",
  ".jpg": "jpeg",
  ".jpeg": "jpeg",
};

export async function run(call: CommandCall): Promise<number> {
  const file = resolve(call.place.cwd, call.words[0] ?? "");
  const type = TYPES[extname(file).toLowerCase()];
  if (type === undefined) throw new UsageError("The file must end in .png or .jpg.");
  return await withPage(call, async (ask, given) => {
    const answer = await ask({ action: "screenshot", type, ...given });
    if (answer.isError) return printAnswer(call, answer);
    await saveAs(file, { answer });
    tell(call, { details: answer.details, file });
    return 0;
  });
}

function tell(
  { output, switches }: CommandCall,
  { details, file }: { readonly details: unknown; readonly file: string },
): void {
  const [width, height] = [readNumber(details, "width"), readNumber(details, "height")];
  if (switches.has("json")) {
    printJson(output, { path: file, width, height, labels: readField(details, "annotations") });
    return;
  }
  for (const line of listLabels(details)) output.print(toPlainLines(output, line));
  output.print(`Saved ${toPrintable(file, MAX_PATH_CHARS)} (${width}x${height}).`);
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
