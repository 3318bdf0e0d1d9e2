// Whoever follows the notices of `read` from the first page to the last gets the whole text once,
// whatever its lines, characters and encoding, and whatever the bridge can do.
import type { FsBridge } from "clawtools";
import { describe, expect, it } from "vitest";
import { read } from "../../src/tools/read/index.js";
import { campaignSeed, campaignSize, reportCampaign, seededRandom } from "../fakes/campaign.js";
import { createMemoryBridge } from "../fakes/memory-bridge.js";
import { bindAlone } from "../fakes/resolve-tool.js";
import { createOpeningBridge, READ_ROOT } from "./read-bridges.js";
import { encodeAs } from "./read-encoder.js";

const TITLE = "gives back every text exactly, page by page";
const ANY_TITLE = "every file is answered within bounds, and with typed errors only";
const NOTICE = /\n\n\[([^\n]*)\]$/;
const NEXT_CALL = /Continue with offset=(\d+)(?:, cursor=(\d+))?(?:, limit=(\d+))?\./;
const MAX_PAGES = 5_000;

/** Text by which each encoding is recognised, and letters that it has. */
const LANGUAGES = [
  { encoding: "utf-8", opening: "", letters: ["é", "日", "😀", "💀", "\u2028", "\uFFFD"] },
  { encoding: "utf-8", opening: "\uFEFF", letters: ["ü", "x"] },
  { encoding: "utf-16le", opening: "\uFEFFplain\n", letters: ["日", "😀", "\u0A0A", "Ċ"] },
  { encoding: "utf-16be", opening: "\uFEFF", letters: ["日", "😀", "\u0A0A", "Ċ"] },
  { encoding: "utf-16le", opening: "no mark here\n", letters: ["é", "ß"] },
  { encoding: "windows-1252", opening: "Déjà vu à la carte, français\n", letters: ["é", "à"] },
  {
    encoding: "gb18030",
    opening: "你好，世界。这是一个文件。\n",
    letters: [..."中文的是在有人这上丂"],
  },
  { encoding: "shift_jis", opening: "これはテストです。\n", letters: ["あ", "ソ", "表"] },
] as const;

const ASCII = ["a", " ", "words and words ", "\t", "0", "\r"];
const ENDS = ["\n", "\n", "\r\n", "\n\n", "\r\n\r\n"];

type Random = (limit: number) => number;

function makeText(below: Random, letters: readonly string[]): string {
  const pick = (from: readonly string[]) => from[below(from.length)] ?? "";
  const lines = Array.from({ length: 1 + below(30) }, () => {
    // One line in eight is long enough to be cut.
    const pieces = below(8) === 0 ? 500 + below(2_000) : below(60);
    const common = below(2) === 0 ? ASCII : [...ASCII, ...letters];
    return Array.from({ length: pieces }, () => pick(common)).join("") + pick(ENDS);
  });
  const text = lines.join("");
  return below(3) === 0 ? text.replace(/[\r\n]+$/, "x") : text;
}

/** What `read` shows of a text: no byte order mark, line feeds for all line ends. */
function toView(text: string): string {
  return text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
}

async function readAll(bridge: FsBridge, options: { limit?: number; resultChars: number }) {
  const { limit, resultChars } = options;
  const config = { limits: { resultChars } };
  const tool = bindAlone(read, { bridge, root: READ_ROOT, config });
  let params: Record<string, unknown> = { path: "f", ...(limit === undefined ? {} : { limit }) };
  let whole = "";
  let invalid = 0;
  for (let page = 0; page < MAX_PAGES; page++) {
    const { content, details, isError } = await tool.execute("call", params);
    const text = content[0]?.type === "text" ? content[0].text : "";
    expect(isError, text).toBeUndefined();
    expect(text.length).toBeLessThanOrEqual(resultChars);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(50 * 1024);
    invalid += (details as { invalidSequences?: number }).invalidSequences ?? 0;
    const notice = NOTICE.exec(text)?.[1] ?? "";
    const shown = notice === "" ? text : text.replace(NOTICE, "");
    const next = NEXT_CALL.exec(notice);
    if (!next) return { text: whole + shown, details, invalid };
    const [, offset, cursor, rest] = next.map(Number);
    whole += Number.isNaN(cursor) ? `${shown}\n` : shown;
    const keep = limit === undefined ? {} : { limit: Number.isNaN(rest) ? limit : rest };
    params = { path: "f", offset, ...(Number.isNaN(cursor) ? {} : { cursor }), ...keep };
  }
  throw new Error("the pages do not end");
}

/** Puts bytes that are never UTF-8 between the characters, few enough for it to stay text. */
function damage(text: string, below: Random): Buffer {
  const pieces = [...text].flatMap((character) =>
    below(40) === 0 ? [Buffer.from(character), Buffer.from([0xff])] : [Buffer.from(character)],
  );
  return Buffer.concat(pieces);
}

const BEGINNINGS = [
  "",
  "efbbbf",
  "fffe",
  "feff",
  "89504e470d0a1a0a0000000d49484452",
  "ffd8ffe000104a464946",
  "474946383961",
  "524946460a00000057454250",
  "0000002066747970617669660000",
  "49492a0008000000",
  "255044462d",
];

/** Bytes of no meaning: noise, text, and pieces of files of other kinds. */
function makeBytes(below: Random): Buffer {
  const start = Buffer.from(BEGINNINGS[below(BEGINNINGS.length)] ?? "", "hex");
  const kinds = [
    () => below(256),
    () => 32 + below(95),
    () => (below(20) === 0 ? 10 : 128 + below(128)),
    () => (below(2) === 0 ? 0 : below(128)),
  ];
  const parts = Array.from({ length: 1 + below(3) }, () => {
    const next = kinds[below(kinds.length)] ?? (() => 0);
    return Buffer.alloc(below(4) === 0 ? below(90_000) : below(300)).map(() => next());
  });
  return Buffer.concat([start, ...parts]);
}

describe("read of any bytes", () => {
  it(ANY_TITLE, async () => {
    const rounds = campaignSize({ slice: 150, campaign: 20_000 });
    const random = seededRandom(campaignSeed());
    const below: Random = (limit) => Math.floor(random() * limit);
    const kinds = new Map<string, number>();
    for (let round = 0; round < rounds; round++) {
      const bridge = createOpeningBridge({ f: makeBytes(below) });
      const tool = bindAlone(read, { bridge, root: READ_ROOT });
      const params = {
        path: "f",
        ...(below(2) === 0 ? {} : { offset: 1 + below(below(2) === 0 ? 5 : 5_000) }),
        ...(below(3) === 0 ? { cursor: below(100_000) } : {}),
        ...(below(3) === 0 ? { limit: 1 + below(3_000) } : {}),
      };
      const { content, details } = await tool.execute("call", params);
      const { code, kind = code } = details as { code?: string; kind?: string };
      expect(["text", "image", "binary", "invalid_input"], `round ${round}`).toContain(kind);
      const text = content[0]?.type === "text" ? content[0].text : "";
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(50 * 1024);
      expect(text).not.toMatch(/\p{Surrogate}/u);
      expect(bridge.openFiles()).toBe(0);
      kinds.set(String(kind), (kinds.get(String(kind)) ?? 0) + 1);
    }
    expect(kinds.size).toBe(4);
    const detail = JSON.stringify(Object.fromEntries(kinds));
    reportCampaign({ title: ANY_TITLE, size: rounds, detail });
  });
});

describe("following the notices of read", () => {
  it(TITLE, async () => {
    const rounds = campaignSize({ slice: 30, campaign: 5_000 });
    const random = seededRandom(campaignSeed());
    const below: Random = (limit) => Math.floor(random() * limit);
    for (let round = 0; round < rounds; round++) {
      const language = LANGUAGES[round % LANGUAGES.length] ?? LANGUAGES[0];
      const text = language.opening + makeText(below, language.letters);
      const bytes = encodeAs(language.encoding, text);
      const memory = createMemoryBridge({});
      await memory.writeFile({ filePath: "f", data: bytes });
      const bridge = below(2) === 0 ? memory : createOpeningBridge({ f: bytes });
      const limit = below(2) === 0 ? undefined : 1 + below(40);
      const resultChars = 1_000 + below(3_000);
      const all = await readAll(bridge, { ...(limit === undefined ? {} : { limit }), resultChars });
      expect(all.text === toView(text), `round ${round}, ${language.encoding}`).toBe(true);
      expect(all.details).toMatchObject({ encoding: language.encoding, totalBytes: bytes.length });
    }
    reportCampaign({ title: TITLE, size: rounds });
  });

  it("shows every byte that is no text as U+FFFD, and counts them all", async () => {
    const random = seededRandom(campaignSeed());
    const below: Random = (limit) => Math.floor(random() * limit);
    for (let round = 0; round < 10; round++) {
      // Enough valid characters of several bytes for the file to be UTF-8 in spite of the others.
      const opening = "Grüße, 世界, naïve\n".repeat(400);
      const bytes = damage(opening + makeText(below, ["é", "日", "\uFFFD"]), below);
      const all = await readAll(createOpeningBridge({ f: bytes }), { resultChars: 2_000 });
      expect(all.text === toView(bytes.toString("utf8")), `round ${round}`).toBe(true);
      expect(all.invalid).toBe(bytes.filter((byte) => byte === 0xff).length);
    }
  });

  it("reaches the end of lines that lie across the blocks in which a file is read", async () => {
    const line = "日本😀".repeat(40_000);
    const text = `${"x".repeat(65_530)}\n${line}\r\n${"\n".repeat(5)}end`;
    for (const encoding of ["utf-8", "utf-16le"]) {
      const mark = encoding === "utf-8" ? "" : "\uFEFF";
      const bridge = createOpeningBridge({ f: encodeAs(encoding, mark + text) });
      const all = await readAll(bridge, { resultChars: 50_000 });
      expect(all.text === toView(text)).toBe(true);
    }
  });
});
