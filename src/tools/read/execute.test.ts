// What `read` shows of a file: whole, in windows, as an image, or in a sentence.

import { describe, expect, it } from "vitest";
import { createMemoryBridge } from "../../../test/fakes/memory-bridge.js";
import { bindAlone } from "../../../test/fakes/resolve-tool.js";
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

const lines = (count: number, from = 1) =>
  Array.from({ length: count }, (_, index) => `line ${from + index}\n`).join("");

describe("read of text", () => {
  it("shows a small file as it is", async () => {
    const { text, details } = await readFile("one\ntwo\n");
    expect(text).toBe("one\ntwo\n");
    expect(details).toEqual({
      path: "f",
      kind: "text",
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
    expect((await readFile(lines(3_000), { limit: 2_999 })).details).toMatchObject({
      lines: 2_000,
    });
  });

  it("keeps lines whole at the size limit, and pages reach every line once", async () => {
    const content = Array.from({ length: 400 }, (_, index) => `${index}:${"é".repeat(400)}`);
    let offset: number | undefined = 1;
    const seen: string[] = [];
    while (offset !== undefined) {
      const { text, details } = await readFile(content.join("\n"), { offset });
      expect(text.length).toBeLessThanOrEqual(50_000);
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(50 * 1024);
      const shown = text.replace(/\n\n\[Lines.*\]$/, "");
      seen.push(...shown.split("\n"));
      offset = (details as { nextOffset?: number }).nextOffset;
    }
    expect(seen).toEqual(content);
  });

  it("cuts only a line that alone is over the limit, between characters, and says so", async () => {
    const long = `x${"😀".repeat(40_000)}`;
    const { text, details } = await readFile(`a\n${long}\nb\n`, { offset: 2 });
    const match =
      /^(x(?:😀)+)\n\n\[Line 2 of 3 has 160001 bytes; only the first (\d+) are shown\. Continue with offset=3\.\]$/u.exec(
        text,
      );
    expect(match).not.toBeNull();
    expect(Buffer.byteLength(match?.[1] ?? "")).toBe(Number(match?.[2]));
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(50 * 1024);
    expect(details).toMatchObject({ lines: 1, truncated: true, nextOffset: 3 });
    const before = await readFile(`a\n${long}\nb\n`);
    expect(before.text).toBe("a\n\n[Lines 1-1 of 3. Continue with offset=2.]");
    const last = await readFile("y".repeat(60_000));
    expect(last.details).toMatchObject({ lines: 1, truncated: true });
    expect(last.details).not.toHaveProperty("nextOffset");
  });

  it("shows a text of the full size without a notice", async () => {
    const { text, details } = await readFile("z".repeat(50_000));
    expect(text).toBe("z".repeat(50_000));
    expect(details).toMatchObject({ truncated: false });
  });

  it("leaves the byte order mark and carriage returns out of the view", async () => {
    const { text, details } = await readFile("\uFEFFa\r\nb\rc\r\n");
    expect(text).toBe("a\nb\rc\n");
    expect(details).toMatchObject({ totalLines: 2, totalBytes: 11 });
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
});

describe("read of what is no text", () => {
  it.each([
    ["a NUL", Buffer.from("text\0text"), "9 bytes"],
    ["nothing but a NUL", Buffer.alloc(1), "1 byte"],
    ["many invalid bytes", Buffer.alloc(100, 0xff), "100 bytes"],
  ])("names a file with %s and its size", async (_, bytes, size) => {
    const { text, details } = await readFile(bytes);
    expect(text).toBe(`f is a binary file (${size}) and is not shown as text.`);
    expect(details).toMatchObject({ kind: "binary", totalBytes: bytes.length });
  });

  it.each([
    ["image/png", "89504e470d0a1a0a00"],
    ["image/jpeg", "ffd8ffe000"],
    ["image/gif", "474946383961"],
    ["image/webp", "524946460a00000057454250"],
  ])("gives %s as an image block, told by its bytes", async (mimeType, hex) => {
    const bytes = Buffer.from(hex, "hex");
    const result = await readFile(bytes);
    expect(result.text).toBe(`Image f (${mimeType}, ${bytes.length} bytes).`);
    expect(result.content[1]).toEqual({ type: "image", data: bytes.toString("base64"), mimeType });
    expect(result.details).toMatchObject({ kind: "image", mimeType });
  });

  it("does not show an image over 5 MiB, and says so", async () => {
    const bytes = Buffer.alloc(5 * 1024 * 1024 + 1);
    bytes.write("89504e470d0a1a0a", "hex");
    const result = await readFile(bytes);
    expect(result.content).toHaveLength(1);
    expect(result.text).toContain("5242881 bytes");
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
      "a file over 64 MiB, before it is read",
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
  });

  it("offsets and limits below one", async () => {
    expect((await readFile("a", { offset: 0 })).isError).toBe(true);
    expect((await readFile("a", { limit: 0 })).isError).toBe(true);
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
});
