// docs/read.md says what the tool does: its numbers, its parameters, its notices, its reasons.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { read } from "../../src/tools/read/index.js";
import {
  MAX_FILE_BYTES,
  MAX_IMAGE_BASE64_CHARS,
  MAX_IMAGE_BYTES,
  MAX_IMAGE_PIXELS,
  MAX_IMAGE_SIDE,
  MAX_LINES,
  MAX_NAMES,
  MAX_TEXT_BYTES,
} from "../../src/tools/read/limits.js";
import { bindAlone } from "../fakes/resolve-tool.js";
import { createOpeningBridge, READ_ROOT } from "./read-bridges.js";

const root = join(import.meta.dirname, "../..");
const page = readFileSync(join(root, "docs/read.md"), "utf8");
const MIB = 1024 * 1024;

async function noticeOf(content: string, params: Record<string, unknown> = {}): Promise<string> {
  const bridge = createOpeningBridge({ f: Buffer.from(content) });
  const tool = bindAlone(read, { bridge, root: READ_ROOT });
  const { content: blocks } = await tool.execute("call", { path: "f", ...params });
  const text = blocks[0]?.type === "text" ? blocks[0].text : "";
  return text.slice(text.lastIndexOf("["));
}

describe("docs/read.md", () => {
  it.each([
    `at most ${MAX_LINES} lines or ${MAX_TEXT_BYTES / 1024} KiB`,
    `the first ${MAX_NAMES} entries`,
    `files over ${MAX_FILE_BYTES / MIB} MiB are refused`,
    `larger than ${MAX_IMAGE_SIDE} pixels a side, or than ${MAX_IMAGE_BASE64_CHARS / MIB} MiB as base64`,
    `at most ${MAX_IMAGE_PIXELS / 1e6} megapixels, in a file of at most ${MAX_IMAGE_BYTES / MIB} MiB`,
  ])("says %j", (sentence) => {
    expect(page).toContain(sentence);
  });

  it("has a row for every parameter", () => {
    for (const name of Object.keys(read.parameters.properties as object)) {
      expect(page).toMatch(new RegExp(`^\\| \`${name}\``, "m"));
    }
  });

  it("shows real notices", async () => {
    const lines = (count: number) => "a line\n".repeat(count);
    const long = `${"x".repeat(60_000)}\nb\nc`;
    for (const notice of [
      await noticeOf(lines(2_500)),
      await noticeOf(lines(3_000), { limit: 2_999 }),
      await noticeOf(long),
      await noticeOf("a\n\n\n\n", { offset: 2 }),
      await noticeOf("a\r\n"),
    ]) {
      expect(page).toContain(`\`${notice}\``);
    }
  });

  it("names every reason that the tool gives by itself", () => {
    const folder = join(root, "src/tools/read");
    const sources = readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
      .map((name) => readFileSync(join(folder, name), "utf8"));
    const reasons = sources.flatMap((source) => [...source.matchAll(/reason: "(\w+)"/g)]);
    const own = reasons.map(([, reason]) => reason).filter((reason) => reason !== "bridge_invalid");
    expect(own.length).toBeGreaterThan(5);
    expect(own.filter((reason) => !page.includes(`| \`${reason}\` |`))).toEqual([]);
  });
});
