// The memory in bad surroundings: killed, damaged, full, two at once, and files that are no notes.

import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startRole, useProgram } from "../contract/store/processes.js";
import {
  makeNotesFolder,
  type NotesFolder,
  pathsOf,
  SIGNAL,
  search,
} from "../memory/memory-setting.js";

const MANY = 1_500;
const LARGE_BYTES = 50 * 1024 * 1024;
const NOBODY = "65534";
const entry = fileURLToPath(new URL("./memory-program.ts", import.meta.url));
const program = useProgram(
  `import { useMemory } from ${JSON.stringify(entry)}; await useMemory(process.argv.slice(2));`,
);

let folder: NotesFolder;
beforeEach(() => {
  folder = makeNotesFolder({ "memory/first.md": "the walrus sleeps" });
});
afterEach(() => folder.close());

function putMany(): void {
  for (let index = 0; index < MANY; index++) {
    folder.put(
      `memory/many/n${index}.md`,
      `# Note ${index}\n\nword${index} and some filler text\n`,
    );
  }
}

describe("an index that was being written when its process was killed", () => {
  it("is whole for whoever comes next, and is completed", async () => {
    putMany();
    for (const killAt of [1, 4, 9]) {
      const role = startRole([program(), "index", folder.root]);
      await role.said(killAt);
      role.child.kill("SIGKILL");
      await role.end;
    }
    const memory = folder.open();
    expect(pathsOf(await search(memory, "walrus"))).toContain("memory/first.md");
    const status = await memory.index({ signal: SIGNAL });
    expect(status).toMatchObject({ notes: MANY + 1, staleNotes: 0 });
    expect(pathsOf(await search(memory, `word${MANY - 1}`))[0]).toBe(`memory/many/n${MANY - 1}.md`);
  });

  it("keeps answering from the old one when it was being made anew", async () => {
    putMany();
    const memory = folder.open();
    await memory.index({ signal: SIGNAL });
    const role = startRole([program(), "fresh", folder.root]);
    await role.said(5);
    expect(pathsOf(await search(memory, "walrus"))[0]).toBe("memory/first.md");
    role.child.kill("SIGKILL");
    await role.end;
    const { hits, partial } = await search(memory, "word7");
    expect(hits[0]?.path).toBe("memory/many/n7.md");
    expect(partial).toBeUndefined();
  });
});

describe("two processes at once", () => {
  it("index the same notes without harm, and both find everything", async () => {
    putMany();
    const roles = [1, 2].map(() => startRole([program(), "index", folder.root]));
    for (const { end } of roles) expect((await end).at(-1)).toBe("all");
    const memory = folder.open();
    expect(await memory.status()).toMatchObject({ notes: MANY + 1, staleNotes: 0 });
    expect(await search(memory, "word1")).toMatchObject({ staleNotes: 0 });
  });
});

describe("an index that cannot be used", () => {
  it("is moved aside and made anew when it is damaged, and that is said", async () => {
    await search(folder.open(), "walrus");
    await folder.close();
    folder = makeNotesFolder({ "memory/first.md": "the walrus sleeps" });
    mkdirSync(join(folder.root, "state"), { recursive: true });
    writeFileSync(
      folder.indexFile,
      "this is no database, but long enough to be looked at".repeat(200),
    );
    const answer = await search(folder.open(), "walrus");
    expect(pathsOf(answer)).toEqual(["memory/first.md"]);
    expect(answer.warnings.join(" ")).toContain("being rebuilt");
  });

  it("is refused when it belongs to another program", async () => {
    mkdirSync(join(folder.root, "state"), { recursive: true });
    const { DatabaseSync } = await import("@photostructure/sqlite");
    const other = new DatabaseSync(folder.indexFile);
    other.exec("CREATE TABLE theirs (value TEXT)");
    other.close();
    await expect(search(folder.open(), "walrus")).rejects.toMatchObject({
      reason: "index_foreign",
    });
  });

  it("is held in memory when its folder cannot be made, and that is said", async () => {
    writeFileSync(join(folder.root, "state"), "a file where the folder should be");
    const answer = await search(folder.open(), "walrus");
    expect(pathsOf(answer)).toEqual(["memory/first.md"]);
    expect(answer.warnings.join(" ")).toContain("in memory only");
  });

  it("goes on answering with what it has when the disk is full, and says so", async () => {
    const memory = folder.open({ maxIndexBytes: 256 * 1024 });
    expect(pathsOf(await search(memory, "walrus"))).toEqual(["memory/first.md"]);
    for (let index = 0; index < 40; index++) {
      folder.put(`memory/big${index}.md`, `zebra${index} ${"lorem ipsum dolor ".repeat(2_000)}`);
    }
    const answer = await search(memory, "walrus");
    expect(pathsOf(answer)).toEqual(["memory/first.md"]);
    expect(answer.staleNotes).toBeGreaterThan(0);
    expect(answer.warnings.join(" ")).toContain("disk is full");
  });
});

describe("files that are no ordinary notes", () => {
  it("a binary file called .md is left out, and the status says so", async () => {
    folder.put("memory/picture.md", Buffer.from([0x89, 0x50, 0, 0, 1, 2, 3, 0, 0, 0, 255, 254]));
    const memory = folder.open();
    expect(pathsOf(await search(memory, "walrus"))).toEqual(["memory/first.md"]);
    expect((await memory.status()).warnings.join(" ")).toContain('picture.md" is a binary file');
  });

  it("of a note of 50 MB the beginning is searched, quickly enough, and that is said", async () => {
    const line = "a plain line of a very long note\n";
    const text = `zebrafinch\n${line.repeat(LARGE_BYTES / line.length)}endmarkerword`;
    folder.put("memory/huge.md", text);
    const memory = folder.open();
    expect(pathsOf(await search(memory, "zebrafinch"))[0]).toBe("memory/huge.md");
    expect((await memory.status()).warnings.join(" ")).toContain("only the first 2 MB");
    const lines = await memory.read({ path: "memory/huge.md", from: 1_000_000, maxChars: 1_000 });
    expect(lines).toMatchObject({ found: true, startLine: 1_000_000 });
  });

  it("a link is read when it leads to a note, and to nothing else", async () => {
    const outside = makeNotesFolder({ "secret.md": "the opossum is outside" });
    try {
      symlinkSync(join(outside.root, "secret.md"), join(folder.root, "memory/link.md"));
      symlinkSync(outside.root, join(folder.root, "memory/linked-folder"));
      folder.put(".env", "the opossum is a key");
      folder.put("other.md", "the opossum is no note");
      folder.put("docs/named.md", "the pangolin was named");
      folder.put("memory/plain.txt", "the opossum is no Markdown");
      for (const [name, target] of Object.entries({
        "memory/env.md": "../.env",
        "MEMORY.md": ".env",
        "memory/loop": "..",
        "memory/other.md": "../other.md",
        "memory/plain.md": "plain.txt",
        "memory/again.md": "first.md",
        "memory/named.md": "../docs/named.md",
      })) {
        symlinkSync(target, join(folder.root, name));
      }
      const extraPaths = [join(folder.root, "docs/named.md")];
      const memory = folder.open({ places: { root: folder.root, extraPaths } });
      const answer = await search(memory, "opossum pangolin");
      expect(pathsOf(answer)).toEqual(["docs/named.md"]);
      expect(answer.warnings.join(" ")).toContain(
        '"memory/loop" links to a file that is not a note',
      );
      const read = (path: string) => memory.read({ path, maxChars: 100 });
      for (const path of [
        ...["memory/link.md", "memory/linked-folder/secret.md", "memory/env.md", "MEMORY.md"],
        ...["memory/loop/other.md", "memory/loop/.env.md", "memory/other.md", "memory/plain.md"],
      ]) {
        const outcome = await read(path).catch((error: unknown) => error);
        expect(JSON.stringify(outcome), path).not.toContain("opossum");
      }
      await expect(read("memory/env.md")).rejects.toMatchObject({ reason: "path_outside_root" });
      expect(await read("memory/again.md")).toMatchObject({ text: "the walrus sleeps" });
      expect(await read("memory/named.md")).toMatchObject({ text: "the pangolin was named" });
    } finally {
      await outside.close();
    }
  });

  it("a pipe called .md holds nobody up", async () => {
    spawnSync("mkfifo", [join(folder.root, "memory/pipe.md")]);
    const memory = folder.open();
    expect(pathsOf(await search(memory, "walrus"))).toEqual(["memory/first.md"]);
    await expect(memory.read({ path: "memory/pipe.md", maxChars: 100 })).rejects.toMatchObject({
      reason: "path_not_a_note",
    });
  });

  it("a note that may not be read is named, and the others are found", async () => {
    folder.put("memory/closed.md", "the walrus is secret");
    chmodSync(join(folder.root, "memory/closed.md"), 0o000);
    // Whoever may not read the note may still come this far.
    for (const place of [folder.root, dirname(program())]) chmodSync(place, 0o777);
    const isRoot = process.getuid?.() === 0;
    const before = isRoot ? ["setpriv", `--reuid=${NOBODY}`, "--clear-groups"] : [];
    const role = startRole([program(), "search", folder.root, "walrus"], { before });
    const [line = "{}"] = await role.end;
    const answer = JSON.parse(line);
    expect(pathsOf(answer)).toEqual(["memory/first.md"]);
    expect(answer.warnings.join(" ")).toContain('"memory/closed.md" cannot be read');
  });
});
