// The text of a command's output does not depend on how its bytes were cut into chunks, and its
// lines by number are the lines of that text.
import { expect, it } from "vitest";
import { createRunOutput } from "../../src/drivers/process/output/create-run-output.js";
import { campaignSeed, campaignSize, reportCampaign, seededRandom } from "../fakes/campaign.js";

const TITLE = "an output reads the same however its bytes are cut";
const MAX_CHARS = 1_000_000;
const PIECES = [
  ..."a\n\r\t\b\0[]é😀\x1b\x07",
  "word ",
  "line\n",
  "\r\n",
  "x".repeat(50),
  "\x1b[31m",
  "\x1b[2K",
  "\x1b[1G",
  "\x1b]0;title\x07",
  "\x1bPdata\x1b\\",
  "\x9b0m",
];

async function read(chunks: Iterable<Uint8Array>) {
  const recorder = createRunOutput(undefined);
  for (const chunk of chunks) recorder.onChunk(chunk);
  await recorder.finish();
  const { text, totalChars, totalLines } = recorder.output.view(MAX_CHARS);
  const { lines } = await recorder.output.lines({ offset: 0, limit: MAX_CHARS });
  return { text, totalChars, totalLines, lines };
}

function* cut(bytes: Uint8Array, random: () => number): Generator<Uint8Array> {
  for (let start = 0; start < bytes.length; ) {
    const end = start + 1 + Math.floor(random() * 5);
    yield bytes.subarray(start, end);
    start = end;
  }
}

it(TITLE, async () => {
  const size = campaignSize({ slice: 2_000, campaign: 200_000 });
  const seed = campaignSeed();
  const random = seededRandom(seed);
  for (let count = 0; count < size; count++) {
    const length = 1 + Math.floor(random() * 15);
    const pieces = Array.from({ length }, () => PIECES[Math.floor(random() * PIECES.length)]);
    const bytes = Buffer.from(pieces.join(""));
    const whole = await read([bytes]);
    expect(await read(cut(bytes, random)), JSON.stringify(bytes.toString())).toEqual(whole);
    expect(whole.totalChars).toBe(whole.text.length);
    expect(whole.lines).toEqual(
      whole.text.replace(/\n$/, "").split("\n").slice(0, whole.totalLines),
    );
    expect(whole.text).not.toMatch(/[^\P{Cc}\n\t]/u);
  }
  reportCampaign({ title: TITLE, size, detail: `seed ${seed}` });
});
