// Outputs as they come from pipes: what is shown of them, what the log keeps.
import { existsSync } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createRunOutput, type RunRecorder } from "./create-run-output.js";

const MIB = 1024 * 1024;

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "clawtools-output-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const logPath = () => join(folder, "runs", "brisk-otter.log");

function record(chunks: readonly (string | Uint8Array)[]): RunRecorder {
  const recorder = createRunOutput(logPath());
  for (const chunk of chunks) {
    recorder.onChunk(typeof chunk === "string" ? Buffer.from(chunk) : chunk);
  }
  return recorder;
}

const shown = (chunks: Parameters<typeof record>[0]) => record(chunks).output.view(100_000).text;

/** Gives the bytes as a supervisor does: stops when it is told to. */
async function feed(recorder: RunRecorder, chunks: Iterable<Uint8Array>): Promise<void> {
  for (const chunk of chunks) {
    recorder.onChunk(chunk);
    if (recorder.isFull) await recorder.drained();
  }
  await recorder.finish();
}

function* numberedLines(count: number): Generator<Uint8Array> {
  const lines: string[] = [];
  for (let line = 0; line < count; line++) {
    lines.push(`line ${line} ${"x".repeat(50)}\n`);
    if (lines.length < 1_000) continue;
    yield Buffer.from(lines.join(""));
    lines.length = 0;
  }
  yield Buffer.from(lines.join(""));
}

describe("the text of an output", () => {
  it.each([
    ["plain text is kept as it came", ["a\tb\n", "c"], "a\tb\nc"],
    [
      "a character that is cut by two chunks is whole",
      [Buffer.from([0xe2, 0x82]), Buffer.from([0xac, 0x0a])],
      "€\n",
    ],
    [
      "a character of four bytes comes byte by byte",
      [...Buffer.from("😀")].map((byte) => Buffer.from([byte])),
      "😀",
    ],
    [
      "bytes that are no UTF-8 become replacement characters",
      [Buffer.from([0x61, 0xff, 0x62])],
      "a\uFFFDb",
    ],
    ["colours are taken out", ["\x1b[1;31mred\x1b[0m\n"], "red\n"],
    [
      "a sequence that is cut by two chunks is taken out",
      ["a\x1b", "[3", "1mb\x1b[", "0m\n"],
      "ab\n",
    ],
    [
      "titles and links are taken out, with either end",
      ["\x1b]0;title\x07a\x1b]8;;http://x\x1b\\b\n"],
      "ab\n",
    ],
    ["a broken title swallows its line only", ["\x1b]0;title\nnext\n"], "\nnext\n"],
    [
      "sequences of one character are known",
      ["a\x9b31mb\n"].map((text) => Buffer.from(text, "utf8")),
      "ab\n",
    ],
    ["character sets and short sequences are taken out", ["\x1b(Ba\x1b7b\x1bMc\n"], "abc\n"],
    ["other control characters can be seen", ["a\x00b\x07c\x7fd\n"], "a\\x00b\\x07c\\x7Fd\n"],
    ["a carriage return lets the next text replace the line", ["10%\r50%\r100%\n"], "100%\n"],
    [
      "a carriage return before a line feed is part of the line's end",
      ["a\r\nb\r", "\nc\r\r\n"],
      "a\nb\nc\n",
    ],
    ["a line that nothing follows is not replaced", ["50%\r"], "50%"],
    ["a line erased by a sequence is gone", ["50%\x1b[2K\x1b[Gdone\n"], "done\n"],
    ["a backspace takes a character back", ["|\b/\b-\n"], "-\n"],
  ] as const)("%s", (_title, chunks, wanted) => {
    expect(shown(chunks as unknown as Parameters<typeof record>[0])).toBe(wanted);
  });

  it("does not depend on where the chunks are cut", () => {
    const whole = Buffer.from(
      "a\x1b[31mré😀d\x1b]0;t\x07\r\nx\ry\x00\x1b[2K\x1b[1Gz\b!\n\tplain\nend",
    );
    const wanted = shown([whole]);
    expect(wanted).toBe("aré😀d\n!\n\tplain\nend");
    for (let at = 1; at < whole.length; at++) {
      expect(shown([whole.subarray(0, at), whole.subarray(at)])).toBe(wanted);
    }
  });

  it("does not depend on how the chunks lie in memory", () => {
    const bytes = Buffer.from("one line\nand\tanother\n");
    for (let offset = 0; offset < 9; offset++) {
      for (let length = 0; length <= bytes.length; length++) {
        const memory = new Uint8Array(offset + length);
        memory.set(bytes.subarray(0, length), offset);
        expect(shown([memory.subarray(offset)])).toBe(bytes.toString("utf8", 0, length));
      }
    }
  });

  it("keeps copies: the buffer of a chunk may be used again", () => {
    const recorder = createRunOutput(undefined);
    const buffer = Buffer.from("first\nab");
    recorder.onChunk(buffer);
    buffer.fill("z");
    recorder.onChunk(buffer.subarray(0, 2));
    expect(recorder.output.view(100).text).toBe("first\nabzz");
  });

  it("shows the beginning and the end of what is too long, and what is missing between", async () => {
    const recorder = record([...numberedLines(5_000)]);
    const view = recorder.output.view(4_000);
    expect(view.text.length).toBeLessThanOrEqual(4_000);
    expect(view.text).toMatch(/^line 0 x/);
    expect(view.text).toContain(`[${view.omittedChars} characters left out here]\n`);
    expect(view.text).toMatch(/\nline 4999 x+\n$/);
    const kept = view.text.replace(/\[\d+ characters left out here\]\n/, "");
    expect(kept.length + view.omittedChars).toBe(view.totalChars);
    expect(view.totalLines).toBe(5_000);
    expect(kept.split("\n")[view.omittedFromLine ?? -1]).not.toMatch(
      new RegExp(`^line ${view.omittedFromLine} `),
    );
    await recorder.remove();
  });

  it("gives news once, and a line that was given out is not taken back", () => {
    const recorder = record(["start\n10%"]);
    expect(recorder.output.take(1_000).text).toBe("start\n10%");
    expect(recorder.output.take(1_000).text).toBe("");
    recorder.onChunk(Buffer.from("\r20%\r30%"));
    expect(recorder.output.take(1_000).text).toBe("\n30%");
    recorder.onChunk(Buffer.from("\ndone\n"));
    expect(recorder.output.take(1_000).text).toBe("\ndone\n");
  });

  it("gives the last characters, never half of one", () => {
    const recorder = record(["one\ntwo 😀"]);
    expect(recorder.output.tail(6)).toBe("two 😀");
    expect(recorder.output.tail(1)).toBe("");
  });
});

describe("the log of an output", () => {
  it("is not made for a short output, whose lines can be read all the same", async () => {
    const recorder = record(["a\nb\nc"]);
    await recorder.finish();
    expect(existsSync(logPath())).toBe(false);
    expect(await recorder.output.lines({ offset: 1, limit: 5 })).toEqual({
      lines: ["b", "c"],
      offset: 1,
      totalLines: 3,
      totalChars: 5,
      lostLines: 0,
    });
    expect((await recorder.output.lines({ limit: 2 })).lines).toEqual(["b", "c"]);
    expect((await recorder.output.lines({ offset: 3, limit: 2 })).lines).toEqual([]);
  });

  it("has every line of an output that memory no longer holds, while it runs and afterwards", async () => {
    const recorder = createRunOutput(logPath());
    const chunks = [...numberedLines(100_000)];
    await feed(recorder, chunks);
    expect((await stat(logPath())).mode & 0o777).toBe(0o600);
    for (const offset of [0, 1, 999, 1_000, 31_337, 65_536, 99_998]) {
      const page = await recorder.output.lines({ offset, limit: 2 });
      expect(page.lines.map((line) => line.split(" ")[1])).toEqual(
        [offset, offset + 1].filter((line) => line < 100_000).map(String),
      );
      expect(page.lostLines).toBe(0);
    }
    expect((await recorder.output.lines({ limit: 1 })).lines[0]).toContain("line 99999 ");
    expect(recorder.output.view(1_000).lostBytes).toBe(0);
    await recorder.remove();
    expect(existsSync(logPath())).toBe(false);
  });

  it("keeps the first and the last 16 MiB, and says which lines are gone", async () => {
    const recorder = createRunOutput(logPath());
    const line = Buffer.from(`${"y".repeat(127)}\n`);
    const chunk = Buffer.concat(Array.from({ length: 512 }, () => line));
    const chunkCount = (48 * MIB) / chunk.length;
    await feed(
      recorder,
      Array.from({ length: chunkCount }, () => chunk),
    );
    const size = (await stat(logPath())).size;
    expect(size).toBeLessThanOrEqual(32 * MIB);
    const view = recorder.output.view(1_000);
    expect(view.totalChars).toBe(48 * MIB);
    expect(view.lostBytes).toBe(16 * MIB);
    const gone = await recorder.output.lines({ offset: (20 * MIB) / 128, limit: 3 });
    expect(gone.lines).toHaveLength(3);
    expect(gone.lostLines).toBeGreaterThanOrEqual((12 * MIB) / 128);
    expect(gone.offset).toBe((20 * MIB) / 128 + gone.lostLines);
    expect((await recorder.output.lines({ offset: (15 * MIB) / 128, limit: 2 })).lostLines).toBe(0);
    await recorder.remove();
  });

  it("ends when it cannot be written, and the run goes on", async () => {
    const recorder = createRunOutput("/dev/null/runs/a.log");
    await feed(recorder, numberedLines(20_000));
    expect(recorder.problem).toContain("The log ends at byte 0: ");
    expect(recorder.output.tail(80)).toContain("line 19999 ");
    expect((await recorder.output.lines({ limit: 1 })).lines[0]).toContain("line 19999 ");
    const early = await recorder.output.lines({ offset: 0, limit: 1 });
    expect(early.lostLines).toBeGreaterThan(0);
    expect(recorder.output.view(1_000).lostBytes).toBeGreaterThan(0);
  });

  it("goes at once when it is removed while it is written", async () => {
    const recorder = createRunOutput(logPath());
    for (const chunk of numberedLines(100_000)) recorder.onChunk(chunk);
    expect(recorder.isFull).toBe(true);
    await recorder.remove();
    expect(existsSync(logPath())).toBe(false);
  });

  it("can be read while it is written", async () => {
    const recorder = createRunOutput(logPath());
    for (const chunk of numberedLines(60_000)) recorder.onChunk(chunk);
    const [early, late] = await Promise.all([
      recorder.output.lines({ offset: 10, limit: 1 }),
      recorder.output.lines({ offset: 50_000, limit: 1 }),
      recorder.finish(),
    ]);
    expect(early.lines[0]).toContain("line 10 ");
    expect(late.lines[0]).toContain("line 50000 ");
    await recorder.remove();
  });

  it("cuts a line that is longer than a caller could show", async () => {
    const recorder = createRunOutput(logPath());
    await feed(
      recorder,
      [...Array(48)].map(() => Buffer.alloc(64 * 1024, "z")),
    );
    const { lines, totalLines } = await recorder.output.lines({ offset: 0, limit: 5 });
    expect(totalLines).toBe(1);
    expect(lines[0]?.length).toBe(MIB);
    await recorder.remove();
  });

  it("gives a long line from any character on, however its bytes are cut", async () => {
    const recorder = createRunOutput(logPath());
    // Three bytes each, so that pieces of what is read end inside of them; then four each.
    const long = `${"€".repeat(700_000)}${"😀".repeat(10)}end`;
    await feed(recorder, [Buffer.from("first\n"), Buffer.from(`${long}\nlast`)]);
    const from = async (column: number, offset = 1) =>
      (await recorder.output.lines({ offset, column, limit: 1 })).lines[0];
    for (const column of [1, 21_845, 300_000]) {
      const part = (await from(column))?.slice(0, 200_000) ?? "";
      // As a truth, because a difference of such texts cannot be read.
      expect(part === long.slice(column, column + 200_000)).toBe(true);
    }
    expect(await from(700_000)).toBe(`${"😀".repeat(10)}end`);
    expect(await from(700_020)).toBe("end");
    expect(await from(long.length)).toBe("");
    expect(await from(2, 2)).toBe("st");
    await recorder.remove();
  });

  it("passes over characters of a line that is still open", async () => {
    const recorder = record(["one\ntwo"]);
    const { lines } = await recorder.output.lines({ offset: 1, column: 1, limit: 1 });
    expect(lines).toEqual(["wo"]);
    await recorder.remove();
  });
});
