// `read` through the front door, on real files: large ones, pipes, folders, odd names, images.
import { execFileSync } from "node:child_process";
import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createToolkit, type Toolkit } from "clawtools";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const MIB = 1024 * 1024;

let root: string;
let toolkit: Toolkit;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "clawtools-read-"));
  mkdirSync(join(root, "work"));
  toolkit = createToolkit({ root: join(root, "work"), stateDir: join(root, "state") });
});

afterAll(async () => {
  await toolkit.close();
  rmSync(root, { recursive: true, force: true });
});

const inRoot = (name: string) => join(root, "work", name);

/** A file of this size with `head` at its beginning, which takes no room on the disk. */
function makeSparse(name: string, { head, size }: { head: string; size: number }): void {
  const file = openSync(inRoot(name), "w");
  writeSync(file, head);
  ftruncateSync(file, size);
  closeSync(file);
}

async function call(params: Record<string, unknown>) {
  const answer = await toolkit.invoke({ id: "call", name: "read", arguments: params });
  const [first] = answer.content;
  return { ...answer, text: first?.type === "text" ? first.text : "" };
}

describe("read through the toolkit", () => {
  it("shows the head of a file of 10 GiB at once and in little memory", async () => {
    makeSparse("huge.log", { head: "a line of a log\n".repeat(9_000), size: 10 * 1024 * MIB });
    await call({ path: "huge.log", limit: 1 });
    const before = process.memoryUsage().rss;
    const { text, isError } = await call({ path: "huge.log" });
    expect(isError).toBe(false);
    expect(text).toMatch(/\[Lines 1-2000, up to byte 32000 of 10737418240\. Continue with/);
    expect(process.memoryUsage().rss - before).toBeLessThan(32 * MIB);
  });

  it("scans 100 MiB for a line without holding them", async () => {
    const text = `${"x".repeat(1023)}\n`.repeat(1024);
    const file = openSync(inRoot("large.txt"), "w");
    for (let mebibyte = 0; mebibyte < 100; mebibyte++) writeSync(file, text);
    closeSync(file);
    const before = process.memoryUsage().rss;
    const last = await call({ path: "large.txt", offset: 102_400 });
    expect(last.details).toMatchObject({ totalLines: 102_400, lines: 1, truncated: false });
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * MIB);
    rmSync(inRoot("large.txt"));
  });

  it("says that a link leads to nothing, and suggests no other such link", async () => {
    mkdirSync(inRoot("links"));
    for (const name of ["gone", "gonee"]) symlinkSync("nowhere", inRoot(`links/${name}`));
    const { text, details } = await call({ path: "links/gone" });
    expect(text).toContain("is a link to something that does not exist");
    expect(details).toMatchObject({ code: "not_found", reason: "file_missing" });
    expect((await call({ path: "links/gon" })).text).toContain("does not exist; check the path.");
  });

  it("answers at once for a pipe, and for a link that leads out", async () => {
    execFileSync("mkfifo", [inRoot("pipe")]);
    expect((await call({ path: "pipe" })).details).toMatchObject({ reason: "not_regular_file" });
    symlinkSync("/etc/hostname", inRoot("out"));
    expect((await call({ path: "out" })).details).toMatchObject({ reason: "path_outside_root" });
  });

  it("lists a folder, and suggests a near name, inside the root only", async () => {
    mkdirSync(inRoot("notes"));
    writeFileSync(inRoot("notes/today.md"), "x");
    expect((await call({ path: "notes" })).text).toContain('it holds \\"today.md\\"');
    expect((await call({ path: "notes/tody.md" })).text).toContain("notes/today.md");
    expect((await call({ path: "../stat" })).details).toMatchObject({
      reason: "path_outside_root",
    });
  });

  it("opens a decomposed name for a composed one", async () => {
    writeFileSync(inRoot("Cafe\u0301.txt"), "coffee\n");
    const { text } = await call({ path: "Caf\u00E9.txt" });
    expect(text).toBe('coffee\n\n\n[Opened "Cafe\u0301.txt": "Caf\u00E9.txt" does not exist.]');
  });

  it("shows an image made smaller", async () => {
    const image = sharp({ create: { width: 3_000, height: 30, channels: 3, background: "red" } });
    writeFileSync(inRoot("wide.dat"), await image.png().toBuffer());
    const { content, text } = await call({ path: "wide.dat" });
    expect(text).toContain("Shown at 2000x20 (image/png); multiply coordinates by 1.5");
    expect(content[1]).toMatchObject({ type: "image", mimeType: "image/png" });
  });

  it("sees one whole version of a file that is written meanwhile", async () => {
    const version = (letter: string) => `${letter.repeat(999)}\n`.repeat(40);
    writeFileSync(inRoot("busy.txt"), version("a"));
    const writes = ["b", "c", "d"].map((letter) =>
      toolkit.invoke({
        id: `write ${letter}`,
        name: "write",
        arguments: { path: "busy.txt", content: version(letter) },
      }),
    );
    const reads = Array.from({ length: 10 }, () => call({ path: "busy.txt" }));
    await Promise.all(writes);
    for (const { text } of await Promise.all(reads)) {
      expect(new Set(text)).toEqual(new Set([text[0], "\n"]));
    }
  });
});
