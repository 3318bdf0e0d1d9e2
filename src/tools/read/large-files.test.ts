// However large a file is, only what is needed of it is read.

import { describe, expect, it } from "vitest";
import {
  createOpeningBridge,
  type FakeContent,
  READ_ROOT,
} from "../../../test/contract/read-bridges.js";
import { bindAlone } from "../../../test/fakes/resolve-tool.js";
import type { FsBridge } from "../../core/index.js";
import { read } from "./index.js";

const MIB = 1024 * 1024;
const GIB = 1024 * MIB;
const LINE_BYTES = 64;

/** Lines of 64 bytes, each beginning with its number: a file that needs no memory. */
function numberedLines(size: number): FakeContent {
  const lineAt = (number: number) => Buffer.from(`${`${number}`.padEnd(LINE_BYTES - 1, ".")}\n`);
  return {
    size,
    give(into, position) {
      let filled = 0;
      while (filled < into.length) {
        const line = Math.floor((position + filled) / LINE_BYTES);
        const part = lineAt(line + 1).subarray((position + filled) % LINE_BYTES);
        into.set(part.subarray(0, into.length - filled), filled);
        filled += part.length;
      }
    },
  };
}

const filledWith = (letter: string, size: number): FakeContent => ({
  size,
  give: (into) => into.fill(letter.charCodeAt(0)),
});

async function readThrough(bridge: FsBridge, params: Record<string, unknown> = {}) {
  const tool = bindAlone(read, { bridge, root: READ_ROOT });
  const { content, details } = await tool.execute("call", { path: "f", ...params });
  return { details, text: content[0]?.type === "text" ? content[0].text : "" };
}

describe("read of a large file", () => {
  it.each([50 * MIB, 10 * GIB])("shows the head of %i bytes and reads 64 KiB", async (size) => {
    const bridge = createOpeningBridge({ f: numberedLines(size) });
    const { text, details } = await readThrough(bridge);
    expect(text.startsWith("1....")).toBe(true);
    expect(text).toMatch(
      new RegExp(`up to byte \\d+ of ${size}\\. Continue with offset=\\d+\\.\\]$`),
    );
    expect(details).toMatchObject({ kind: "text", totalBytes: size, truncated: true });
    expect(bridge.bytesRead()).toBe(64 * 1024);
    expect(bridge.openFiles()).toBe(0);
  });

  it("finds a line far behind, and reads no more than up to its page", async () => {
    const bridge = createOpeningBridge({ f: numberedLines(20 * MIB) });
    const offset = Math.floor((0.9 * 20 * MIB) / LINE_BYTES);
    const { text } = await readThrough(bridge, { offset, limit: 3 });
    expect(text.split("\n").slice(0, 3).map(Number.parseFloat)).toEqual([
      offset,
      offset + 1,
      offset + 2,
    ]);
    expect(text).toContain(
      `[Lines ${offset}-${offset + 2}, up to byte ${(offset + 2) * LINE_BYTES} of ${20 * MIB}.`,
    );
    expect(bridge.bytesRead()).toBeLessThan(19.1 * MIB);
  });

  it("names the last line when the offset is past the end", async () => {
    const bridge = createOpeningBridge({ f: numberedLines(4 * MIB) });
    const { details } = await readThrough(bridge, { offset: 1_000_000_000 });
    expect(details).toMatchObject({
      reason: "offset_past_end",
      totalLines: (4 * MIB) / LINE_BYTES,
    });
    expect(bridge.openFiles()).toBe(0);
  });

  it("pages through a single line by the cursor", async () => {
    const bridge = createOpeningBridge({ f: filledWith("x", 10 * MIB) });
    const cursor = 9 * MIB;
    const { text, details } = await readThrough(bridge, { cursor });
    expect(details).toMatchObject({ lines: 1, cursor });
    const { nextCursor = 0 } = details as { nextCursor?: number };
    expect(text).toBe(
      `${"x".repeat(nextCursor - cursor)}\n\n[Line 1, characters ${cursor + 1}-${nextCursor}; the file has ${10 * MIB} bytes. Continue with offset=1, cursor=${nextCursor}.]`,
    );
    expect(bridge.bytesRead()).toBeLessThan(10 * MIB);
  });

  it("names a file of zeros from its first block", async () => {
    const bridge = createOpeningBridge({ f: { size: 10 * GIB, give: (into) => into.fill(0) } });
    expect((await readThrough(bridge)).details).toMatchObject({
      kind: "binary",
      totalBytes: 10 * GIB,
    });
    expect(bridge.bytesRead()).toBe(64 * 1024);
  });

  it("judges the encoding by the first block that is not ASCII, also on later pages", async () => {
    const ascii = "plain text of the beginning\n".repeat(5_000);
    const western = Buffer.from("Déjà vu à la carte\n".repeat(5_000), "latin1");
    const bridge = createOpeningBridge({ f: Buffer.concat([Buffer.from(ascii), western]) });
    expect((await readThrough(bridge, { limit: 1 })).details).toMatchObject({ encoding: "utf-8" });
    for (const offset of [5_001, 9_000]) {
      const { text, details } = await readThrough(bridge, { offset, limit: 1 });
      expect(text).toMatch(/^Déjà vu à la carte\n\n\[.* Decoded from WINDOWS-1252\.\]$/);
      expect(details).toMatchObject({ encoding: "windows-1252" });
    }
  });

  it("stops when the caller gives up", async () => {
    const controller = new AbortController();
    const content = numberedLines(GIB);
    let reads = 0;
    const bridge = createOpeningBridge({
      f: {
        size: GIB,
        give(into) {
          if (++reads === 3) controller.abort();
          into.fill("x".charCodeAt(0));
        },
      },
      g: content,
    });
    const tool = bindAlone(read, { bridge, root: READ_ROOT });
    const call = tool.execute("call", { path: "f", offset: 2 }, controller.signal);
    await expect(call).rejects.toMatchObject({ name: "AbortError" });
    expect(reads).toBeLessThan(6);
  });

  it("shows content that is made when it is read, though its size is said to be 0", async () => {
    const text = Buffer.from("made up\n");
    const bridge: FsBridge = {
      ...createOpeningBridge({}),
      openFile: async () => ({
        stat: { type: "file", size: 0, mtimeMs: 0 },
        read: async (into, position) => text.copy(into, 0, position),
        close: async () => undefined,
      }),
    };
    const shown = await readThrough(bridge);
    expect(shown.text).toBe("made up\n");
    expect(shown.details).toMatchObject({ totalBytes: 8, totalLines: 1 });
  });

  it.each([undefined, -1, 1.5, "3", 1e9])("refuses a bridge whose read gives %j", async (count) => {
    const bridge: FsBridge = {
      ...createOpeningBridge({}),
      openFile: async () => ({
        stat: { type: "file", size: 9, mtimeMs: 0 },
        read: () => Promise.resolve(count) as Promise<number>,
        close: async () => undefined,
      }),
    };
    expect((await readThrough(bridge)).details).toMatchObject({
      code: "failed",
      reason: "bridge_invalid",
    });
  });
});
