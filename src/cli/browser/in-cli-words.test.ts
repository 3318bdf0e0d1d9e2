// What the tool says in the words of the command line; and that the tool still says what is looked for.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { inCliWords, RULES } from "./in-cli-words.js";

const SOURCES = fileURLToPath(new URL("../../", import.meta.url));
/** Of a value that is put into a sentence. */
const VALUES = ["1", "e1", "t1"];
/** Their sentences are made of parts; the tests of the commands hear them. */
const MADE_OF_PARTS = /^\\bneeds one of|^\^\(\\w\+\) needs/;

/** Every text in quotes that the tool and its driver are made of. */
function listSaid(): string[] {
  return ["tools/browser", "drivers/browser"].flatMap((room) =>
    readdirSync(join(SOURCES, room), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts") && !file.includes(".test."))
      .flatMap((file) => {
        const source = readFileSync(join(SOURCES, room, file), "utf8");
        return [...source.matchAll(/(["'`])((?:\\.|(?!\1)[^\n])*)\1/g)].map(([, , text = ""]) =>
          text.replace(/\\(.)/g, "$1"),
        );
      }),
  );
}

describe("what the tool says, at the command line", () => {
  it.each([
    ["try again, with a larger timeoutMs if", "try again, with a larger --timeout-ms if"],
    ["[snapshot lists the whole page.]", "[`clawtools browser snapshot` lists the whole page.]"],
    [
      '2 texts cut at "…"; snapshot with ref, or text, has more.',
      '2 texts cut at "…"; `clawtools browser snapshot --ref REF`, or `clawtools browser text`, has more.',
    ],
    [
      "A screenshot is of fullPage and one element not at once; send one of them.",
      "A screenshot is of --full and --ref not at once; send one of them.",
    ],
    ["add the host to browser.ssrfPolicy.allowedHostnames", undefined],
    ['did you mean "timeMs"?', undefined],
    ["scrollIntoView cannot be undone", undefined],
  ])("%s", (said, wanted = said) => {
    expect(inCliWords(said)).toBe(wanted);
  });

  const said = listSaid();
  const rules = RULES.map(([pattern]) => pattern).filter(
    ({ source }) => !MADE_OF_PARTS.test(source),
  );
  it.each(rules)("%s is still said by the tool", (pattern) => {
    const once = new RegExp(pattern.source, pattern.flags.replace("g", ""));
    const isSaid = said.some((text) =>
      VALUES.some((value) => once.test(text.replace(/\$\{[^}]*\}/g, value))),
    );
    expect(isSaid).toBe(true);
  });
});
