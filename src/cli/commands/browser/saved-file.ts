// `clawtools browser pdf FILE` and `download [FILE]`: a file that the tool made, saved where the person
// wants it.

import { resolve } from "node:path";
import { toPrintable } from "../../../lib/printable.js";
import { readNumber, readText } from "../../../lib/read-field.js";
import { assertNoRef } from "../../browser/assert-no-ref.js";
import { printAnswer } from "../../browser/print-answer.js";
import { MAX_PATH_CHARS, saveAs } from "../../browser/save-as.js";
import { withPage } from "../../browser/with-caller.js";
import { printJson } from "../../command-call.js";
import type { CommandModule } from "../../table/command.js";

export function savedFile(action: "pdf" | "download"): CommandModule {
  return {
    async run(call) {
      const { output, switches, place, words } = call;
      assertNoRef(call);
      const [name] = words;
      const file = name === undefined ? undefined : resolve(place.cwd, name);
      return await withPage(call, async (ask, given) => {
        const answer = await ask({ action, ...given });
        if (answer.isError) return printAnswer(call, answer);
        if (file !== undefined) await saveAs(file, { answer, isMoved: true });
        const path = file ?? readText(answer.details, "path") ?? "";
        const bytes = readNumber(answer.details, "bytes");
        if (switches.has("json")) printJson(output, { ...Object(answer.details), path });
        else output.print(`Saved ${toPrintable(path, MAX_PATH_CHARS)} (${bytes} bytes).`);
        return 0;
      });
    },
  };
}
