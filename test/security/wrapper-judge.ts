// Reads wrapped text as a model or a careless program might: takes a block apart, and counts what
// could be taken for a boundary or a control token once all disguise is taken off.

const OPENING = /^<<<EXTERNAL_UNTRUSTED_CONTENT id="([0-9a-f]{8})">>> ([^\n]*)\n/;
const NAMES = ["externaluntrustedcontent", "tnetnocdetsurtnulanretxe"];
const TOKENS = [
  ...["<|im_start|>", "<|im_end|>", "<|eot_id|>", "<|start_header_id|>", "<|end_header_id|>"],
  ...["[inst]", "[/inst]", "<<sys>>", "<</sys>>", "<s>", "</s>"],
  ...["<start_of_turn>", "<end_of_turn>", "<tool_call>", "</tool_call>", "<invokename="],
  ...["<function_calls>", "</function_results>", "<system-reminder>", "</system-reminder>"],
];
/** What has no width, no glyph or only changes the glyph before it; never a line end. */
const DISGUISE = /[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]|[^\P{Cc}\n]/gu;

/** Kept apart from the table under test: a handful of letters per script, written by hand. */
export const HOMOGLYPHS: Readonly<Record<string, string>> = {
  a: "аαᴀΑА",
  c: "сϲᴄⲥС",
  d: "ԁᴅꓓ",
  e: "еεᴇΕЕ",
  h: "һΗНʜ",
  i: "іιɪΙІ",
  k: "кκΚ",
  l: "ӏʟⅼ",
  m: "мᴍΜ",
  n: "ոɴΝꓠ",
  o: "оοᴏΟО",
  p: "рρΡ",
  r: "гʀꓣᴦ",
  s: "ѕꜱЅꓢ",
  t: "тτᴛΤТ",
  u: "υսᴜꓴ",
  v: "νѵᴠ",
  x: "хχΧХ",
  y: "уγʏΥ",
  "<": "‹«⟨〈《❮",
  ">": "›»⟩〉》❯",
  _: "▁ˍ‗",
  "|": "ǀ∣│",
};

/** Throws unless the text is one block: a nonce that stands in the two marker lines and nowhere else. */
export function readBlock(wrapped: string): { nonce: string; head: string; body: string } {
  const [opening = "", nonce, head = ""] = OPENING.exec(wrapped) ?? [];
  if (nonce === undefined) throw new Error("no opening marker");
  const closing = `\n<<<END_EXTERNAL_UNTRUSTED_CONTENT id="${nonce}">>>`;
  if (!wrapped.endsWith(closing)) throw new Error("no closing marker");
  if (wrapped.split(nonce).length !== 3) throw new Error("the nonce is not there exactly twice");
  return { nonce, head, body: wrapped.slice(opening.length, -closing.length) };
}

/** How many boundaries and control tokens are left to read; `undo` takes off a disguise of its own. */
export function countReadable(
  text: string,
  undo: (text: string) => string = (same) => same,
): number {
  const bare = unmask(undo(text));
  const letters = bare.replace(/[^a-z0-9·]/g, "");
  const signs = bare.replace(/\s/g, "");
  const names = NAMES.map((name) => letters.split(name).length - 1);
  const tokens = TOKENS.map((token) => signs.split(token).length - 1);
  return [...names, ...tokens].reduce((sum, count) => sum + count, 0);
}

/** Takes out the exact spellings and nothing else, as many wrappers do. */
export function naiveNeutralize(text: string): string {
  return text
    .replaceAll("EXTERNAL_UNTRUSTED_CONTENT", "[removed]")
    .replace(/<\|[a-z_]+\|>|\[\/?INST\]|<<\/?SYS>>|<\/?s>/g, "[removed]")
    .replace(/<\/?(?:start_of_turn|end_of_turn|tool_call|invoke|function_\w+)\b/g, "[removed]")
    .replace(/<\/?system-reminder>/g, "[removed]");
}

function unmask(text: string): string {
  const plain = text.normalize("NFKD").replace(DISGUISE, "");
  return [...plain].map(toAscii).join("").toLowerCase();
}

function toAscii(character: string): string {
  const found = Object.entries(HOMOGLYPHS).find(([, alike]) => alike.includes(character));
  return found?.[0] ?? character;
}
