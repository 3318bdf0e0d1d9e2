// Notes and queries that were made to break a search, or that nobody would write: each is answered, in
// bounded time, and the ordinary note beside it is found.
import { afterEach, describe, expect, it } from "vitest";
import { sampleRows } from "../fakes/campaign.js";
import { makeNotesFolder, type NotesFolder, pathsOf, SIGNAL, search } from "./memory-setting.js";

const MAX_MS = 100_000;
let folder: NotesFolder;
afterEach(() => folder.close());

describe("a hostile note", () => {
  it.each(
    sampleRows<[string, string | Buffer, boolean]>(
      [
        ["one line of 2 MB", `badger ${"x".repeat(2e6)}`, true],
        ["100,000 headings", `badger\n${"# h\nword\n".repeat(1e5)}`, true],
        ["200,000 headings without text", `${"# h\n".repeat(2e5)}badger`, true],
        ["a heading of a megabyte of spaces", `badger\n# h${" ".repeat(1e6)}x`, true],
        ["a million line ends", `${"\n".repeat(1e6)}badger`, true],
        ["600,000 characters of CJK", `badger ${"海".repeat(6e5)}`, true],
        ["half a million of hyphens", `badger ${"ab-".repeat(5e5)}`, true],
        ["a word in camel case of a megabyte", `badger ${"aB".repeat(5e5)}`, true],
        ["a million marks on one letter", `badger a${"\u0301".repeat(6e5)}`, true],
        ["NULs", Buffer.from("badger\0\0text\0"), false],
        ["a NUL far from the beginning", `badger ${"a ".repeat(6_000)}\0\0 tail`, true],
        [
          "invalid UTF-8",
          Buffer.concat([Buffer.from("badger "), Buffer.from([0xff, 0xc3, 0x28, 0x80])]),
          true,
        ],
        ["lines that end with CR", "badger\r# Head\rtext\r", true],
        ["UTF-16", Buffer.from("\ufeffbadger sleeps", "utf16le"), true],
        ["half a character", "badger \ud800 text", true],
        ["words of the query language", 'badger " OR NEAR(a b) * ^ : + - ( )', true],
        ["nothing", "", false],
      ],
      3,
    ),
  )("of %s does no harm", async (_what, text, isFound) => {
    folder = makeNotesFolder({ "memory/plain.md": "the walrus sleeps" });
    folder.put("memory/hostile.md", text);
    const memory = folder.open();
    const beganMs = performance.now();
    const status = await memory.index({ signal: SIGNAL });
    expect(performance.now() - beganMs).toBeLessThan(MAX_MS);
    expect(status).toMatchObject({ notes: 2, staleNotes: 0 });
    expect(pathsOf(await search(memory, "walrus"))[0]).toBe("memory/plain.md");
    const answer = await search(memory, "badger");
    expect(pathsOf(answer)[0]).toBe(isFound ? "memory/hostile.md" : undefined);
    for (const { snippet } of answer.hits) expect(snippet.length).toBeLessThan(710);
  });

  it("is cited by the lines that memory_get shows, whatever ends them", async () => {
    for (const end of ["\n", "\r\n", "\r"]) {
      folder = makeNotesFolder({
        "memory/a.md": ["# One", "", "first", "# Two", "", "the badger", ""].join(end),
      });
      const memory = folder.open();
      const [hit] = (await search(memory, "badger")).hits;
      expect(hit).toMatchObject({ startLine: 4, endLine: 6 });
      const read = await memory.read({ path: "memory/a.md", from: 6, lines: 1, maxChars: 100 });
      expect(read).toMatchObject({ text: "the badger" });
      await folder.close();
    }
  });
});

describe("a hostile query", () => {
  it.each(
    sampleRows(
      [
        ["a million letters", "w".repeat(1e6)],
        ["200,000 words", `walrus ${"word ".repeat(2e5)}`],
        ["100,000 paths", `walrus ${"a/b ".repeat(1e5)}`],
        ["300,000 characters of CJK", "海".repeat(3e5)],
        ["a million spaces", `walrus${" ".repeat(1e6)}`],
        ["a NUL", "wal\0rus"],
        ["half a character", "\ud800 walrus"],
        ["the query language", 'walrus" OR NEAR(" * AND NOT (x:y)'],
        ["names that objects have", "__proto__ constructor toString walrus"],
      ],
      3,
    ),
  )("of %s is answered", async (_what, query) => {
    folder = makeNotesFolder({ "memory/plain.md": "the walrus sleeps" });
    const memory = folder.open();
    await memory.index({ signal: SIGNAL });
    const beganMs = performance.now();
    const answer = await search(memory, query);
    expect(performance.now() - beganMs).toBeLessThan(2_000);
    const isRead = query.startsWith("walrus") || query.endsWith("walrus");
    if (isRead) expect(pathsOf(answer)).toEqual(["memory/plain.md"]);
    const said = answer.warnings.join(" ");
    if (query.length > 8_000) expect(said).toContain("only the first 8000 characters");
  });

  it("with 32 further texts of a megabyte is answered", async () => {
    folder = makeNotesFolder({ "memory/plain.md": "the walrus sleeps" });
    const memory = folder.open();
    const also = Array.from({ length: 32 }, () => "seal ".repeat(2e5));
    const answer = await memory.search({ query: "walrus", also, signal: SIGNAL });
    expect(pathsOf(answer)).toEqual(["memory/plain.md"]);
  });
});
