// Whatever the text and the room: what is shown fits, is whole, and pages reach everything.

import { describe, expect, it } from "vitest";
import { campaignSeed, seededRandom } from "../../../test/fakes/campaign.js";
import type { ToolResult } from "../../core/index.js";
import { showLines } from "./show-lines.js";

const ROUNDS = 300;
const PIECES = ["a", "é", "日", "😀", " ", "\n", "\n", "\r\n", "words and words "];

function show(text: string, options: { offset?: number; limit?: number; maxChars: number }) {
  const result: ToolResult = showLines({
    path: "f",
    decoded: { text, invalidSequences: 0 },
    totalBytes: Buffer.byteLength(text),
    offset: options.offset ?? 1,
    limit: options.limit,
    maxChars: options.maxChars,
  });
  const [block] = result.content;
  const details = result.details as { lines: number; totalLines: number; nextOffset?: number };
  return { text: block?.type === "text" ? block.text : "", ...details };
}

describe("showLines", () => {
  it.each([0, 1, 50, 200, 240, 241, 300])("stays within %i characters", (maxChars) => {
    const shown = show("😀".repeat(1_000), { maxChars });
    expect(shown.text.length).toBeLessThanOrEqual(maxChars);
    expect(shown.text).not.toMatch(/\p{Surrogate}/u);
  });

  it("reaches every line once, page by page, for random texts and rooms", () => {
    const random = seededRandom(campaignSeed());
    const below = (limit: number) => Math.floor(random() * limit);
    for (let round = 0; round < ROUNDS; round++) {
      const pieces = Array.from({ length: 1 + below(400) }, () => PIECES[below(PIECES.length)]);
      const text = pieces.join("");
      const maxChars = 300 + below(1_500);
      const limit = 1 + below(60);
      let offset: number | undefined = 1;
      let seen = 0;
      let total = 0;
      while (offset !== undefined) {
        const page = show(text, { offset, limit, maxChars });
        expect(page.text.length).toBeLessThanOrEqual(maxChars);
        expect(page.lines).toBeGreaterThan(0);
        expect(page.nextOffset ?? page.totalLines + 1).toBe(offset + page.lines);
        seen += page.lines;
        total = page.totalLines;
        offset = page.nextOffset;
      }
      expect(seen).toBe(total);
    }
  });
});
