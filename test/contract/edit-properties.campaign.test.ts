// For random texts and random changes: what was asked for is there, and every other byte is as it
// was.

import type { ToolResult } from "clawtools";
import { describe, expect, it } from "vitest";
import { edit } from "../../src/tools/edit/index.js";
import { campaignSeed, campaignSize, reportCampaign, seededRandom } from "../fakes/campaign.js";
import { createMemoryBridge, MEMORY_ROOT } from "../fakes/memory-bridge.js";
import { bindAlone } from "../fakes/resolve-tool.js";

const ROUNDS = campaignSize({ slice: 80, campaign: 20_000 });
const LINE_ENDS = ["\n", "\r\n", "  \n", " \t\r\n", "\n\n", "\r\n\r\n", "\n \n"];
const PLAIN = [" ", "  ", "-", "'", '"', " = ", "; ", "\t", ", ", "$&", "\\"];
const FANCY = [
  "“",
  "”",
  "’",
  "–",
  "—",
  "−",
  "\u00A0",
  "\u2003",
  "\u3000",
  "…",
  "ﬁ",
  "½",
  "é",
  "e\u0301",
  "Å",
  "日本",
  "😀",
  "가",
];
const TITLES = {
  exact: "edit changes the bytes it was asked to change and no other, for random texts",
  lineEnds: "edit keeps every line end, whatever kind of line end the old text came with",
  oneWord: "edit keeps what is only loosely like the old text, and changes one word in it",
  manyWords:
    "edit gives the loose form that was asked for, when several things change in a loose match",
};
const FILE = { filePath: "f", cwd: MEMORY_ROOT };

const random = seededRandom(campaignSeed());
const below = (limit: number) => Math.floor(random() * limit);
const pick = (list: readonly string[]) => list[below(list.length)] ?? "";

/** Words that occur once each, and what stands between them. */
function makeText(between: () => string): { words: string[]; text: string; starts: number[] } {
  const words = Array.from({ length: 2 + below(30) }, (_, index) => `w${below(100)}x${index}z`);
  const starts: number[] = [];
  let text = pick(["", "\uFEFF", between()]);
  for (const word of words) {
    starts.push(text.length);
    text += word + between();
  }
  return { words, starts, text: random() < 0.5 ? text : text.trimEnd() };
}

async function editBytes(before: Buffer, params: Record<string, unknown>) {
  const bridge = createMemoryBridge({});
  await bridge.writeFile({ ...FILE, data: before });
  const tool = bindAlone(edit, { bridge, root: MEMORY_ROOT });
  const result: ToolResult = await tool.execute("call", { path: "f", ...params });
  return { result, after: await bridge.readFile(FILE) };
}

function toLooseForm(text: string): string {
  const lines = text.normalize("NFKC").split("\n");
  return lines
    .map((line) => line.trimEnd())
    .join("\n")
    .replace(/[‘-‛]/g, "'")
    .replace(/[“-‟]/g, '"')
    .replace(/[‐-―−]/g, "-")
    .replace(/[\u00A0\u2002-\u200A\u202F\u205F\u3000]/g, " ");
}

const report = (title: string, detail = "") =>
  reportCampaign({ title, size: ROUNDS, detail: `${detail}seed ${campaignSeed()}` });

const shown = (facts: unknown) => JSON.stringify(facts);

describe("edit, for random texts", () => {
  it(TITLES.exact, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { words, starts, text } = makeText(() => pick([...PLAIN, ...LINE_ENDS, ...FANCY]));
      let expected = "";
      let from = 0;
      const edits = words.flatMap((word, index) => {
        if (random() < 0.6) return [];
        const start = starts[index] ?? 0;
        const newText = pick(["", "new", `${word}${word}`, word.slice(1), "“ü”", "$1", "\\n"]);
        expected += text.slice(from, start) + newText;
        from = start + word.length;
        return [{ oldText: word, newText, replaceAll: random() < 0.2 }];
      });
      if (edits.length === 0) continue;
      expected += text.slice(from);
      const { result, after } = await editBytes(Buffer.from(text), { edits });
      expect(result.isError, shown({ text, edits })).toBeUndefined();
      expect(String(after), shown({ text, edits })).toBe(expected);
      expect(result.details).toMatchObject({ changed: true, replacements: edits.length });
    }
    report(TITLES.exact);
  });

  it(TITLES.lineEnds, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { words, starts, text } = makeText(() => pick([...PLAIN, ...LINE_ENDS]));
      const [first, last] = [below(words.length), below(words.length)].sort((a, b) => a - b);
      const chosen = (first ?? 0) + below((last ?? 0) - (first ?? 0) + 1);
      const word = words[chosen] ?? "";
      const end = (starts[last ?? 0] ?? 0) + (words[last ?? 0] ?? "").length;
      const region = text.slice(starts[first ?? 0], end).replaceAll("\r\n", "\n");
      const oldText = random() < 0.5 ? region : region.replaceAll("\n", "\r\n");
      const newText = region.replace(word, "new");
      const { result, after } = await editBytes(Buffer.from(text), { oldText, newText });
      expect(result.isError, shown({ text, oldText })).toBeUndefined();
      expect(String(after), shown({ text, oldText })).toBe(text.replace(word, "new"));
    }
    report(TITLES.lineEnds);
  });

  it(TITLES.oneWord, async () => {
    let loose = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const { words, starts, text } = makeText(() =>
        pick([...PLAIN, ...LINE_ENDS, ...FANCY, ...FANCY]),
      );
      const [first, last] = [below(words.length), below(words.length)].sort((a, b) => a - b);
      const word = words[(first ?? 0) + below((last ?? 0) - (first ?? 0) + 1)] ?? "";
      const end = (starts[last ?? 0] ?? 0) + (words[last ?? 0] ?? "").length;
      const oldText = toLooseForm(text.slice(starts[first ?? 0], end));
      const newWord = pick(["new", "", `${word}!`, "“ü”", "two words"]);
      const newText = oldText.replace(word, newWord);
      if (newText === oldText) continue;
      const { result, after } = await editBytes(Buffer.from(text), { oldText, newText });
      expect(result.isError, shown({ text, oldText, newText, result })).toBeUndefined();
      expect(String(after), shown({ text, oldText, newText })).toBe(text.replace(word, newWord));
      if ((result.details as { fit: string }).fit === "loose") loose++;
    }
    expect(loose).toBeGreaterThan(ROUNDS / 4);
    report(TITLES.oneWord, `${loose} fitted loosely, `);
  });

  it(TITLES.manyWords, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { words, starts, text } = makeText(() => pick([...PLAIN, ...LINE_ENDS, ...FANCY]));
      const [first, last] = [below(words.length), below(words.length)].sort((a, b) => a - b);
      const start = starts[first ?? 0] ?? 0;
      const end = (starts[last ?? 0] ?? 0) + (words[last ?? 0] ?? "").length;
      const oldText = toLooseForm(text.slice(start, end));
      const inner = words.slice((first ?? 0) + 1, last ?? 0);
      const newText = inner.reduce(
        (made, word) =>
          random() < 0.5 ? made : made.replace(word, pick(["", "a\nb", "new", "“x”"])),
        `(${oldText})`,
      );
      const { result, after } = await editBytes(Buffer.from(text), { oldText, newText });
      expect(result.isError, shown({ text, oldText, newText, result })).toBeUndefined();
      const made = String(after);
      expect(made.startsWith(text.slice(0, start)), shown({ text, oldText, newText, made })).toBe(
        true,
      );
      expect(made.endsWith(text.slice(end)), shown({ text, oldText, newText, made })).toBe(true);
      const changed = made.slice(start, made.length - (text.length - end));
      expect(toLooseForm(changed), shown({ text, oldText, newText, made })).toBe(
        toLooseForm(newText),
      );
    }
    report(TITLES.manyWords);
  });
});
