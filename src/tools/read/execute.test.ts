// What `read` shows of a file: whole, in windows, as an image, or in a sentence.

import { describe, expect, it } from "vitest";
import { createMemoryBridge } from "../../../test/fakes/memory-bridge.js";
import { bindAlone } from "../../../test/fakes/resolve-tool.js";
import { withFiles } from "../../core/files/index.js";
import type { FsBridge } from "../../core/index.js";
import { read } from "./index.js";

const ROOT = "/project";

async function readFile(data: string | Buffer, params: Record<string, unknown> = {}) {
  const bridge = createMemoryBridge({});
  await bridge.writeFile({ filePath: `${ROOT}/f`, data });
  return readThrough(bridge, { path: "f", ...params });
}

async function readThrough(bridge: FsBridge, params: Record<string, unknown>) {
  const result = await bindAlone(read, { bridge, root: ROOT }).execute("call", params);
  const [block] = result.content;
  return { ...result, text: block?.type === "text" ? block.text : "" };
}

const CRLF_NOTICE = "Line ends are CRLF; edit keeps them, write does not.";

const lines = (count: number, from = 1) =>
  Array.from({ length: count }, (_, index) => `line ${from + index}\n`).join("");

describe("read of text", () => {
  it("shows a small file as it is", async () => {
    const { text, details } = await readFile("one\ntwo\n");
    expect(text).toBe("one\ntwo\n");
    expect(details).toEqual({
      path: "f",
      kind: "text",
      encoding: "utf-8",
      offset: 1,
      lines: 2,
      totalLines: 2,
      totalBytes: 8,
      truncated: false,
    });
  });

  it("counts a final line feed as the end of a line, not as another line", async () => {
    expect((await readFile("a\n")).details).toMatchObject({ lines: 1, totalLines: 1 });
    expect((await readFile("a")).details).toMatchObject({ lines: 1, totalLines: 1 });
    expect((await readFile("\n")).details).toMatchObject({ lines: 1, totalLines: 1 });
  });

  it("stops at 2000 lines and names the next offset", async () => {
    const { text, details } = await readFile(lines(2_500));
    expect(text).toBe(
      `${lines(2_000).slice(0, -1)}\n\n[Lines 1-2000 of 2500. Continue with offset=2001.]`,
    );
    expect(details).toMatchObject({ lines: 2_000, truncated: true, nextOffset: 2_001 });
    const rest = await readFile(lines(2_500), { offset: 2_001 });
    expect(rest.text).toBe(lines(500, 2_001));
    expect(rest.details).toMatchObject({ offset: 2_001, lines: 500, truncated: false });
    expect(rest.details).not.toHaveProperty("nextOffset");
  });

  it("shows exactly the lines that were asked for", async () => {
    const { text, details } = await readFile("a\n\nb\n\nc\n", { offset: 2, limit: 3 });
    expect(text).toBe("\nb\n\n\n[Lines 2-4 of 5. Continue with offset=5.]");
    expect(details).toMatchObject({ offset: 2, lines: 3, nextOffset: 5 });
  });

  it("keeps lines whole at the size limit, and pages reach every line once", async () => {
    const content = Array.from({ length: 400 }, (_, index) => `${index}:${"é".repeat(400)}`);
    let offset: number | undefined = 1;
    const seen: string[] = [];
    while (offset !== undefined) {
      const { text, details } = await readFile(content.join("\n"), { offset });
      expect(text.length).toBeLessThanOrEqual(50_000);
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(50 * 1024);
      const shown = text.replace(/\n\n\[Lines .*\]$/, "");
      seen.push(...shown.split("\n"));
      offset = (details as { nextOffset?: number }).nextOffset;
    }
    expect(seen).toEqual(content);
  });

  it("cuts only a line that alone is over the limit, between characters, and names the cursor", async () => {
    const long = `x${"😀".repeat(40_000)}`;
    const content = `a\n${long}\nb\n`;
    const { text, details } = await readFile(content, { offset: 2 });
    const [shown = "", notice] = text.split("\n\n");
    expect(long.startsWith(shown)).toBe(true);
    expect(shown).not.toMatch(/\p{Surrogate}/u);
    expect(notice).toBe(
      `[Line 2, characters 1-${shown.length}; the file has 160006 bytes. Continue with offset=2, cursor=${shown.length}.]`,
    );
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(50 * 1024);
    expect(details).toMatchObject({
      lines: 1,
      truncated: true,
      nextOffset: 2,
      nextCursor: shown.length,
    });
    const before = await readFile(content);
    expect(before.text).toBe("a\n\n[Lines 1-1, up to byte 2 of 160006. Continue with offset=2.]");
  });

  it("continues a long line at the cursor, and goes on with the lines behind it", async () => {
    const content = `${"0123456789".repeat(6_000)}\nb\nc`;
    const first = await readFile(content);
    expect(first.details).toMatchObject({ nextOffset: 1, totalLines: 3 });
    const { nextCursor = 0 } = first.details as { nextCursor?: number };
    expect(first.text).toContain(
      `[Line 1 of 3, characters 1-${nextCursor} of 60000. Continue with offset=1, cursor=${nextCursor}.]`,
    );
    const second = await readFile(content, { cursor: nextCursor });
    expect(second.text).toBe(content.slice(nextCursor));
    expect(second.details).toMatchObject({ offset: 1, cursor: nextCursor, lines: 3 });
  });

  it("names how many of the lines asked for are still to come", async () => {
    const { text, details } = await readFile(lines(3_000), { limit: 2_999 });
    expect(text).toMatch(/\[Lines 1-2000 of 3000\. Continue with offset=2001, limit=999\.\]$/);
    expect(details).toMatchObject({ nextOffset: 2_001, nextLimit: 999 });
  });

  it("gives bytes of the total instead of lines when the end was not reached", async () => {
    const content = lines(100_000);
    const { text, details } = await readFile(content);
    const end = Buffer.byteLength(lines(2_000));
    expect(text).toMatch(
      new RegExp(
        `\\[Lines 1-2000, up to byte ${end} of ${content.length}\\. Continue with offset=2001\\.\\]$`,
      ),
    );
    expect(details).not.toHaveProperty("totalLines");
    expect((await readFile(content, { offset: 99_999 })).details).toMatchObject({
      lines: 2,
      totalLines: 100_000,
    });
  });

  it("says that lines are blank", async () => {
    expect((await readFile("\n")).text).toBe("\n\n\n[Line 1 is blank.]");
    expect((await readFile("a\n\n \n\nb\n", { offset: 2, limit: 3 })).text).toMatch(
      /\[Lines 2-4 of 5\. Continue with offset=5\. Lines 2-4 are blank\.\]$/,
    );
  });

  it("shows a text of the full size without a notice", async () => {
    const { text, details } = await readFile("z".repeat(50_000));
    expect(text).toBe("z".repeat(50_000));
    expect(details).toMatchObject({ truncated: false });
  });

  it("ends with the last line, also when that fits only without its line feed", async () => {
    for (let blanks = 49_700; blanks < 49_740; blanks++) {
      const { details } = await readFile(`${" ".repeat(blanks)}\n`);
      const { nextOffset, nextCursor } = details as { nextOffset?: number; nextCursor?: number };
      expect(nextOffset === undefined || nextCursor !== undefined).toBe(true);
    }
  });

  it("leaves the byte order mark and carriage returns out of the view", async () => {
    const { text, details } = await readFile("\uFEFFa\r\nb\rc\r\n");
    expect(text).toBe(`a\nb\rc\n\n\n[${CRLF_NOTICE}]`);
    expect(details).toMatchObject({ totalLines: 2, totalBytes: 11 });
  });

  it.each([
    ["crlf", "a\r\nb\r\n", CRLF_NOTICE],
    ["crlf", "a\r\nb", CRLF_NOTICE],
    ["mixed", "a\r\nb\n", "Line ends are CRLF and LF, mixed; edit keeps them, write does not."],
    ["mixed", "\na\r\n", "Line ends are CRLF and LF, mixed; edit keeps them, write does not."],
  ])("says that line ends are %s: %j", async (lineEnds, content, notice) => {
    const { text, details } = await readFile(content);
    expect(text).toBe(`${content.replaceAll("\r\n", "\n")}\n\n[${notice}]`);
    expect(details).toMatchObject({ lineEnds, truncated: false });
  });

  it.each(["a\nb\n", "a\rb\r", "a"])("says nothing of the line ends of %j", async (content) => {
    const { text, details } = await readFile(content);
    expect(text).toBe(content);
    expect(details).not.toHaveProperty("lineEnds");
  });

  it("keeps a page with CRLF and its notice within the limit", async () => {
    const { text, details } = await readFile(`${"x".repeat(98)}\r\n`.repeat(600));
    expect(text.length).toBeLessThanOrEqual(50_000);
    expect(text).toMatch(/Continue with offset=\d+\. Line ends are CRLF; [^\n]*\]$/);
    expect(details).toMatchObject({ lineEnds: "crlf", truncated: true });
  });

  it("says that a file is empty", async () => {
    expect((await readFile("")).text).toBe("f is empty (0 bytes).");
    expect((await readFile("", { offset: 9 })).text).toBe("f is empty (0 bytes).");
    expect((await readFile("\uFEFF")).text).toBe("f is empty (3 bytes).");
  });

  it("shows stray bytes as U+FFFD and counts them", async () => {
    const bytes = Buffer.concat([
      Buffer.from("\uFFFD caf"),
      Buffer.from([0xe9]),
      Buffer.from(" x".repeat(20)),
    ]);
    const { text, details } = await readFile(bytes);
    expect(text).toBe(
      `\uFFFD caf\uFFFD${" x".repeat(20)}\n\n[Not valid UTF-8 in 1 place, shown as U+FFFD.]`,
    );
    expect(details).toMatchObject({ kind: "text", invalidSequences: 1 });
  });

  it("takes file_path for path, and @name for a file that exists only without the sign", async () => {
    const bridge = createMemoryBridge({ [`${ROOT}/f`]: "x" });
    expect((await readThrough(bridge, { file_path: "f" })).text).toBe("x");
    expect((await readThrough(bridge, { path: "@f" })).text).toBe("x");
  });

  it.each(["filePath", "filepath", "Path", "filename", "file", "target_file", "absolute_path"])(
    "takes %s for path",
    async (name) => {
      const bridge = createMemoryBridge({ [`${ROOT}/f`]: "x" });
      expect((await readThrough(bridge, { [name]: "f" })).text).toBe("x");
    },
  );
});

describe("read of what is no text", () => {
  it.each([
    ["a NUL", Buffer.from("text\0text"), "9 bytes"],
    ["nothing but a NUL", Buffer.alloc(1), "1 byte"],
    ["many invalid bytes", Buffer.alloc(100, 0xff), "100 bytes"],
  ])("names a file with %s and its size", async (_, bytes, size) => {
    const { text, details } = await readFile(bytes);
    expect(text).toBe(
      `f is a binary file (application/octet-stream, ${size}) and is not shown as text.`,
    );
    expect(details).toMatchObject({ kind: "binary", totalBytes: bytes.length });
  });

  it.each([
    ["application/pdf", Buffer.from("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n", "latin1")],
    [
      "application/pdf",
      Buffer.concat([
        Buffer.from(`%PDF-1.7\n${"plain words\n".repeat(99)}`),
        Buffer.from([1, 255]),
      ]),
    ],
    ["application/gzip", Buffer.from("1f8b0800000000000003", "hex")],
    ["application/zip", Buffer.from("504b0304140000000800", "hex")],
    ["application/x-elf", Buffer.from("7f454c4602010100", "hex")],
    ["video/mp4", Buffer.from("\0\0\0\x20ftypisom\0\0\x02\0")],
  ])("names %s by its first bytes", async (mimeType, bytes) => {
    const { text, details } = await readFile(bytes);
    expect(text).toBe(
      `f is a binary file (${mimeType}, ${bytes.length} bytes) and is not shown as text.`,
    );
    expect(details).toMatchObject({ kind: "binary", mimeType });
  });

  it.each(["GIF89a is how a GIF begins\n", "%PDF-1.4 in plain text\n", "MZ\n", "BZh91AY&SY\n"])(
    "shows text that begins like another kind: %j",
    async (content) => {
      expect((await readFile(content)).text).toBe(content);
    },
  );

  it("does not dump binary data that stands in the middle of a text", async () => {
    const text = lines(20_000);
    const noise = Buffer.from(Array.from({ length: 30_000 }, (_, i) => 128 + ((i * 31) % 128)));
    const content = Buffer.concat([Buffer.from(text), noise, Buffer.from("\nend\n")]);
    const result = await readFile(content, { offset: 20_001 });
    expect(result.text).toMatch(/^\(Binary data, not shown as text\.\)/);
    expect((await readFile(content, { offset: 20_002 })).text).toBe("end\n");
  });
});

describe("read refuses", () => {
  const bridgeOf = (stat: { type: "file" | "directory" | "other"; size: number }): FsBridge => ({
    ...createMemoryBridge({}),
    stat: async () => ({ ...stat, mtimeMs: 0 }),
    readFile: async () => {
      throw new Error("must not be read");
    },
  });

  it.each([
    ["a missing file", createMemoryBridge({}), "not_found", "file_missing"],
    ["a folder", bridgeOf({ type: "directory", size: 0 }), "invalid_input", "is_directory"],
    ["a device", bridgeOf({ type: "other", size: 0 }), "invalid_input", "not_regular_file"],
    [
      "a file over 64 MiB that the bridge cannot open in parts, before it is read",
      bridgeOf({ type: "file", size: 64 * 1024 * 1024 + 1 }),
      "limit",
      "file_too_large",
    ],
  ])("%s", async (_, bridge, code, reason) => {
    const result = await readThrough(bridge, { path: "f" });
    expect(result.isError).toBe(true);
    expect(result.details).toMatchObject({ code, reason });
  });

  it("an offset past the end, and names the number of lines", async () => {
    const result = await readFile("a\nb\n", { offset: 3 });
    expect(result.details).toMatchObject({ code: "invalid_input", reason: "offset_past_end" });
    expect(result.text).toContain("which has 2 lines");
    expect((await readFile("a", { offset: 2 })).text).toContain("which has 1 line;");
    expect((await readFile(lines(30_000), { offset: 30_001 })).details).toMatchObject({
      totalLines: 30_000,
    });
  });

  it("a cursor past the end of its line, and names the length of the line", async () => {
    for (const cursor of [3, 4, 99]) {
      for (const content of ["abc", "abc\n", "abc\r\n", "abc\r\nd"]) {
        const { details, text } = await readFile(content, { cursor });
        expect(details).toMatchObject({ reason: "cursor_past_end", lineChars: 3 });
        expect(text).toContain("use a smaller cursor, or offset=2 for the next line");
      }
    }
  });

  it("a cursor inside of a character, and names its neighbours", async () => {
    const { details, text } = await readFile("a😀b", { cursor: 2 });
    expect(details).toMatchObject({ code: "invalid_input", reason: "cursor_inside_character" });
    expect(text).toContain("use cursor=1 or cursor=3");
    expect((await readFile("a😀b", { cursor: 3 })).text).toBe("b");
    expect((await readFile("💀".repeat(9), { cursor: 16 })).text).toBe("💀");
  });

  it("offsets and limits below one", async () => {
    expect((await readFile("a", { offset: 0 })).isError).toBe(true);
    expect((await readFile("a", { limit: 0 })).isError).toBe(true);
    expect((await readFile("a", { cursor: -1 })).isError).toBe(true);
  });
});

describe("read through a bridge that is not of Node", () => {
  /** A bridge that gives `content` for every file. */
  const giving = (content: unknown): FsBridge => ({
    ...createMemoryBridge({}),
    stat: async () => ({ type: "file", size: 3, mtimeMs: 0 }),
    readFile: () => Promise.resolve(content) as Promise<Buffer>,
  });

  it.each([
    ["a Uint8Array", new TextEncoder().encode("xabcx").subarray(1, 4)],
    ["text", "abc"],
  ])("takes %s for the content", async (_what, content) => {
    const { text, details } = await readThrough(giving(content), { path: "f" });
    expect(text).toBe("abc");
    expect(details).toMatchObject({ kind: "text", totalBytes: 3 });
  });

  it.each([undefined, null, 5, {}, ["a"], new Uint16Array(2)])(
    "says that %j is no content",
    async (content) => {
      const { text, details } = await readThrough(giving(content), { path: "f" });
      expect(details).toMatchObject({ code: "failed", reason: "bridge_invalid" });
      expect(text).toContain("The readFile of the bridge must give a Buffer");
    },
  );

  it("refuses what the bridge has opened but is no regular file, and closes it", async () => {
    let isClosed = false;
    const bridge: FsBridge = {
      ...createMemoryBridge({}),
      openFile: async () => ({
        stat: { type: "other", size: 0, mtimeMs: 0 },
        read: async () => 0,
        close: async () => {
          isClosed = true;
        },
      }),
    };
    const { details } = await readThrough(bridge, { path: "f" });
    expect(details).toMatchObject({ reason: "not_regular_file" });
    expect(isClosed).toBe(true);
  });

  it("waits for a change of the same file that began before it", async () => {
    const bridge = createMemoryBridge({ [`${ROOT}/f`]: "old" });
    const file = { filePath: "f", cwd: ROOT };
    let finish: (() => void) | undefined;
    const change = withFiles(bridge, [file], async (own) => {
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      await own.writeFile({ ...file, data: "new" });
    });
    const reading = readThrough(bridge, { path: "./f" });
    const other = await readThrough(createMemoryBridge({ [`${ROOT}/f`]: "else" }), { path: "f" });
    expect(other.text).toBe("else");
    finish?.();
    await change;
    expect((await reading).text).toBe("new");
  });
});
