// Searching notes by words: what is found, in which order, with which score, and what is said of it.
import { afterEach, describe, expect, it } from "vitest";
import { makeNotesFolder, type NotesFolder, pathsOf, SIGNAL, search } from "./memory-setting.js";

let folder: NotesFolder;
afterEach(() => folder.close());

const NOTES = {
  "MEMORY.md": "# Facts\n\nThe studio is in Ghent.\n",
  "memory/kyoto.md": "# Kyoto\n\nThe moss temple needs a written request.\n",
  "memory/boiler.md": "# Boiler\n\nVaillant, error F28 means no gas.\n",
  "memory/retry.md": "# Settings\n\nparseRetryCount is 4. The time-lapse runs at night.\n",
  "memory/cn.md": "# 周会\n\n数据库备份改为每晚两点进行。\n",
};

describe("searching by words", () => {
  it("any word may match, and the note with more and rarer words comes first", async () => {
    folder = makeNotesFolder(NOTES);
    const answer = await search(folder.open(), "moss temple gas");
    expect(pathsOf(answer)).toEqual(["memory/kyoto.md", "memory/boiler.md"]);
    expect(answer.legs).toEqual(["words"]);
    expect(answer.hits[0]).toMatchObject({ startLine: 1, endLine: 3, heading: "Kyoto" });
  });

  it("a word that no note has is read as the nearest one, and that is reported", async () => {
    folder = makeNotesFolder(NOTES);
    const answer = await search(folder.open(), "kyotto");
    expect(pathsOf(answer)).toEqual(["memory/kyoto.md"]);
    expect(answer.corrected).toEqual({ kyotto: ["kyoto"] });
  });

  it("a letter too many is a slip, also where stems are cut off", async () => {
    folder = makeNotesFolder({ "MEMORY.md": "The walrus sleeps." });
    expect((await search(folder.open(), "walruss")).corrected).toEqual({ walruss: ["walrus"] });
  });

  it("a hit that rests on a corrected word alone counts half and is weak", async () => {
    folder = makeNotesFolder(NOTES);
    const memory = folder.open();
    const [corrected] = (await search(memory, "kyotto")).hits;
    expect(corrected).toMatchObject({ score: 0.5, isWeak: true });
    const [both] = (await search(memory, "kyotto temple")).hits;
    expect(both?.score).toBeGreaterThan(0.7);
    expect(both?.score).toBeLessThan(1);
    expect(both?.isWeak).toBeUndefined();
  });

  it("a word that a note only begins with is told with what it was taken for", async () => {
    folder = makeNotesFolder(NOTES);
    const answer = await search(folder.open(), "vaill gas");
    expect(answer.corrected).toEqual({ vaill: ["vaillant"] });
    expect(answer.hits[0]?.isWeak).toBeUndefined();
  });

  it.each(["like", "cost", "engine", "boot", "mist"])(
    "%s is another word and no slip for one that looks like it",
    async (query) => {
      folder = makeNotesFolder({
        "MEMORY.md": "Marta lives here. The host keeps a login, a boat and moss.",
      });
      expect(await search(folder.open(), query)).toMatchObject({ hits: [], corrected: {} });
    },
  );

  it.each([
    ["two characters of a Chinese sentence", "备份", "memory/cn.md"],
    ["one character", "每", "memory/cn.md"],
    ["the last character of a run", "行", "memory/cn.md"],
    ["a part of a camel-case name", "retry count", "memory/retry.md"],
    ["a hyphened word written as one", "timelapse", "memory/retry.md"],
    ["the beginning of a word", "vaill", "memory/boiler.md"],
    ["another form of a word", "temples requested", "memory/kyoto.md"],
  ])("%s is found", async (_what, query, path) => {
    folder = makeNotesFolder(NOTES);
    expect(pathsOf(await search(folder.open(), query))[0]).toBe(path);
  });

  it("a query that is a path gives that note first, with the whole score", async () => {
    folder = makeNotesFolder({ ...NOTES, "memory/gas.md": "boiler boiler boiler boiler" });
    const { hits } = await search(folder.open(), "memory/boiler.md");
    expect(hits[0]).toMatchObject({ path: "memory/boiler.md", score: 1 });
  });

  it("the words of `also` are searched too and never lower the score", async () => {
    folder = makeNotesFolder(NOTES);
    const memory = folder.open();
    const alone = await search(memory, "shrine");
    const both = await memory.search({
      query: "shrine",
      also: ["temple", "pagoda"],
      signal: SIGNAL,
    });
    expect(pathsOf(alone)).not.toContain("memory/kyoto.md");
    expect(pathsOf(both)).toEqual(["memory/kyoto.md"]);
    const asked = await search(memory, "moss");
    const more = await memory.search({ query: "moss", also: ["xylophone"], signal: SIGNAL });
    expect(more.hits[0]?.score).toBe(asked.hits[0]?.score);
  });

  it("the words of `also` alone give half a score at most, and that is said", async () => {
    folder = makeNotesFolder({ "MEMORY.md": "Tea in the morning. English lessons in Kiel.\n" });
    const memory = folder.open();
    const also = ["tea", "english", "kiel"];
    const other = await memory.search({
      query: "quantum chromodynamics homework",
      also,
      signal: SIGNAL,
    });
    expect(other.hits[0]?.score).toBe(0.5);
    expect(other.warnings).toEqual([
      "No word of the query itself is in these notes; they were found by the words of also.",
    ]);
    const mixed = await memory.search({ query: "tea homework", also, signal: SIGNAL });
    expect(mixed.hits[0]?.score).toBeGreaterThan(0.5);
    expect(mixed.warnings).toEqual([]);
  });

  it("without a single note it says so, and gives no advice on words", async () => {
    folder = makeNotesFolder();
    const answer = await search(folder.open(), "walrus");
    expect(answer).toMatchObject({ hits: [], isEmpty: true, warnings: [] });
    folder.put("MEMORY.md", "otter");
    const later = await search(folder.open(), "walrus");
    expect(later).toMatchObject({ hits: [], warnings: [] });
    expect(later.isEmpty).toBeUndefined();
  });

  it("hits that score below a share of the best score are left out", async () => {
    folder = makeNotesFolder(NOTES);
    const memory = folder.open();
    const ask = (minScore: number) =>
      memory.search({ query: "moss temple gas", minScore, signal: SIGNAL });
    expect(pathsOf(await ask(0.5))).toEqual(["memory/kyoto.md"]);
    expect(pathsOf(await ask(1))).toEqual(["memory/kyoto.md"]);
    expect(pathsOf(await ask(0))).toHaveLength(2);
  });

  it("a long question keeps its hits, whatever share of its words they have", async () => {
    folder = makeNotesFolder(NOTES);
    const many = "moss quartz umbrella xylophone walrus zebra lantern harbour velvet copper";
    expect(pathsOf(await search(folder.open(), many))).toContain("memory/kyoto.md");
  });

  it("a slip is compared with words as they were written, not with their stems", async () => {
    folder = makeNotesFolder({ "memory/a.md": "We deploy on Friday, after the rehearsal." });
    const memory = folder.open();
    for (const slip of ["deplyo", "dploy", "eploy", "rehersal", "rehearsla", "firday", "freday"]) {
      expect(pathsOf(await search(memory, slip)), slip).toEqual(["memory/a.md"]);
    }
  });

  it("a word that most notes have still ranks the notes that repeat it", async () => {
    const others = Array.from({ length: 60 }, (_, index) => [
      `memory/n${index}.md`,
      `The report ${index} says little about the wind and ${index % 2 ? "rain" : "snow"} there.`,
    ]);
    const best = { "memory/best.md": "report report wind: the snow report." };
    folder = makeNotesFolder({ ...Object.fromEntries(others), ...best });
    expect(pathsOf(await search(folder.open(), "report snow wind"))[0]).toBe("memory/best.md");
  });

  it("a search that matches little says that only spelling was compared", async () => {
    folder = makeNotesFolder(NOTES);
    const { warnings } = await search(folder.open(), "gas xylophone umbrella quartz");
    expect(warnings.join(" ")).toContain("Only words were compared");
  });

  it("a query of nothing but marks finds nothing and does not fail", async () => {
    folder = makeNotesFolder(NOTES);
    for (const query of ['"', "* OR NEAR(", "---", "   ", "\u0000", "'); DROP TABLE files"]) {
      const { hits } = await search(folder.open(), query);
      expect(hits.length).toBeLessThan(2);
    }
  });

  it("of dated notes that say the same the newest comes first", async () => {
    folder = makeNotesFolder({
      "memory/2026-01-12.md": "The retail price is 84 euro.",
      "memory/2026-06-21.md": "The retail price is 95 euro.",
      "memory/2026-03-30.md": "The retail price is 92 euro.",
    });
    const now = () => Date.UTC(2026, 5, 30);
    const answer = await search(folder.open({}, { now }), "latest retail price");
    expect(pathsOf(answer)[0]).toBe("memory/2026-06-21.md");
  });

  it("one note takes at most two places", async () => {
    const sections = Array.from(
      { length: 5 },
      (_, index) => `# Part ${index}\n\nwalrus tusk ${index}`,
    );
    folder = makeNotesFolder({
      "memory/long.md": sections.join("\n\n"),
      "memory/other.md": "A walrus was seen in the harbour by many people on Sunday.",
    });
    const paths = pathsOf(await search(folder.open(), "walrus tusk"));
    expect(paths.filter((path) => path === "memory/long.md")).toHaveLength(2);
    expect(paths).toContain("memory/other.md");
  });

  it("a note that has a word in hundreds of pieces hides no other note", async () => {
    const line = "deploy deploy deploy deploy\n";
    folder = makeNotesFolder({ "memory/log.md": line.repeat(20_000) });
    for (let part = 0; part < 30; part++) {
      folder.put(`memory/logs/${part}.md`, line.repeat(300));
      folder.put(`memory/plan-${part}.md`, `# Deploy ${part}\n\nThe plan number ${part}.\n`);
    }
    const memory = folder.open();
    await memory.index({ signal: SIGNAL });
    const ask = (maxResults: number) =>
      memory.search({ query: "deploy", maxResults, signal: SIGNAL });
    const paths = pathsOf(await ask(50));
    expect(paths).toHaveLength(50);
    expect(new Set(paths).size).toBeGreaterThanOrEqual(25);
    folder.put("memory/one.md", "one word only: deploy");
    for (let part = 0; part < 30; part++) folder.put(`memory/logs/${part}.md`, "");
    const few = pathsOf(await ask(50));
    expect(few.filter((path) => path === "memory/log.md").length).toBeLessThanOrEqual(2);
    expect(few).toContain("memory/one.md");
    expect(few.filter((path) => path.includes("plan-"))).toHaveLength(30);
  });

  it("a hit at the end of a long line is cited so that its text can be read", async () => {
    const line = `${"plain words about nothing much ".repeat(4_000)}the zebrafinch sings`;
    folder = makeNotesFolder({ "memory/a.md": `# Long\n\n${line}\nlast line\n` });
    const memory = folder.open();
    const [hit] = (await search(memory, "zebrafinch")).hits;
    expect(hit?.startChar).toBeGreaterThan(100_000);
    const read = await memory.read({
      ...{ path: "memory/a.md", from: hit?.startLine ?? 0, fromChar: hit?.startChar ?? 0 },
      ...{ lines: 1, maxChars: 2_000 },
    });
    expect(read).toMatchObject({ text: expect.stringContaining("zebrafinch") });
  });

  it("the snippet of a long piece is around the match and at most 700 characters", async () => {
    const filler = "plain words about nothing much. ".repeat(40);
    folder = makeNotesFolder({ "memory/a.md": `${filler}the zebrafinch sings. ` });
    const { hits } = await search(folder.open(), "zebrafinch");
    expect(hits[0]?.snippet).toContain("zebrafinch");
    expect(hits[0]?.snippet.length).toBeLessThan(710);
  });
});
