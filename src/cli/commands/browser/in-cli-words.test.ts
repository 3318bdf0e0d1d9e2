// What the tool says, in the words of the command line.

import { expect, it } from "vitest";
import { inCliWords } from "./in-cli-words.js";

it.each([
  ["try again, with a larger timeoutMs if", "try again, with a larger --timeout-ms if"],
  ["[snapshot lists the whole page.]", "[`clawtools browser snapshot` lists the whole page.]"],
  ["answer it with action dialog", expect.stringContaining("`clawtools browser dialog accept`")],
  ["add the host to browser.ssrfPolicy.allowedHostnames", undefined],
  ['did you mean "timeMs"?', undefined],
  ["scrollIntoView cannot be undone", undefined],
])("%s", (said, wanted = said) => {
  expect(inCliWords(said)).toEqual(wanted);
});
