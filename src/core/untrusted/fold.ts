// Folds look-alike characters, with the place of each in the original text.

import { lazy } from "../../lib/lazy.js";

const CHUNK_UNITS = 8_192;

export function textOfUnits(units: Uint16Array): string {
  const chunks: string[] = [];
  for (let start = 0; start < units.length; start += CHUNK_UNITS) {
    const chunk = units.subarray(start, start + CHUNK_UNITS);
    chunks.push(Reflect.apply(String.fromCharCode, undefined, chunk));
  }
  return chunks.join("");
}

const ROWS: readonly (readonly [sign: string, lookAlikes: string])[] = [
  ["a", "⍺ɑαаᗅꓮ𖽀𐊠ᴀꭺɐⱥ₳ΛдᗩɅ"],
  ["b", "ƄᏏᖯꞴᗷꓐ𐊂𐊡𐌁ɓƃБƀвʙᏼβßьъ฿"],
  ["c", "ᴄϲϹςⲥсꮯ𐐽🝌ꓚ𐊢𐌂𐔜¢ȼҫƈᑕ₵©"],
  ["d", "ԁᏧᑯꓒᗞᗪꓓɗɖƌđÐƉ₫ᴅꭰð"],
  ["e", "℮ꬲеҽ⋿ⴹꓰ𑢦𑢮𐊆ɇҿꭼᴇεɛє€ԑəәǝ∃эξΣ∑"],
  ["f", "ꬵꞙẝքϜᖴꓝ𑣂𐊇𐊥𐔥ƒꜰ₣ғ"],
  ["g", "ɡᶃƍցꓖɠǥɢԍꮐᏻ₲"],
  ["h", "һհᏂΗⲎᕼꓧ𐋏ɦꚕħћђнʜꮋңӇӉⱨ"],
  ["i", "˛⍳ıɪɩιіꙇӏꭵ𑣃ɨᵻƚ١۱𐌠𞣇Ⲓוןاߊⵏᛁꓲ𖼨𐊊𐌉łŀɫɭᒪꓡ𖼖𑢲𐔦ʟꮮⳑ𐑃ⱡ£₤լ"],
  ["j", "ϳјꞲᒍꓙɉȷյᴊꭻ"],
  ["k", "Ⲕᛕꓗ𐔘ƙⱩ₭Ꝁκкĸᴋꮶқҟϗ"],
  ["m", "ΜϺⲘᗰᛖꓟ𐊰𐌑ᴍмꮇʍɱӎᵯ₥ო"],
  ["n", "ոռΝⲚꓠ𐔓ɳƞηƝɲŋɴᴎипͷ∩₦ח"],
  ["o", "οσⲟоօסهഠဝ𐓪𑣈𑣗𐐬ᴏᴑꬽ०੦૦௦౦೦൦๐໐၀٥۵߀০୦〇ⵔዐଠꓳ𑢵𐊒𐊫𐔖øɵөѳθ○◯●⊙∅☉¤ჿ"],
  ["p", "⍴ρⲣрᑭꓑ𐊕ƥᴘᴩꮲþ₱ק"],
  ["q", "ԛգզⵕʠɋϙ"],
  ["r", "ꭇꭈᴦⲅгꮁ𐒴ᖇꓣ𖼵ɽɼɍґʀꭱꮢяᴙɾᴚ℞"],
  ["s", "ꜱƽѕꮪ𑣁𐑈ՏᏕꓢ𖼺𐊖ʂᵴ§ƨ"],
  ["t", "⊤⟙🝨Ⲧꓔ𖼊𑢼𐊗𐊱𐌕ƭȾ₮ŧᴛτтꭲҭƫʈ†"],
  ["u", "ꞟᴜꭎꭒʋυս𐓶𑣘∪⋃ሀᑌꓴ𖽂ʉμцᵾʊ"],
  ["v", "∨⋁ᴠνѵט𑜆ꮩ𑣀𝈍٧۷ⴸᐯꛟꓦ𖼈𐔝√"],
  ["w", "ɯᴡѡԝա𑜊𑜎𑜏ꮃᏔꓪ₩ωшщᗯ"],
  ["x", "᙮×⤫⤬⨯хᕁᕽ᙭╳𐌢𑣬ꞳⲬⵝᚷꓫ𐊐𐊴𐌗𐔧χжҳ✕✖"],
  ["y", "ɣᶌʏỿꭚγуүყ𑣜ΥⲨᎩᎽꓬ𖽃𑢤𐊲ƴɏұ¥"],
  ["z", "ᴢꮓ𑣄𐋵𑣥Ζꓜ𑢩ƶȥʐ"],
  // Quotation marks of many languages are drawn like angle brackets: they keep a sign of their own.
  ["‹", "‹«⟨〈〈⟪《❮❬❰˂ᐸᚲ≪⋘⦑⦓⧼⪡⫷≺⋖⩹⪻⊰"],
  ["›", "›»⟩〉〉⟫》❯❭❱˃ᐳ𖼿≫⋙⦒⦔⧽⪢⫸≻⋗⩺⪼⊱"],
  ["[", "⟦〚【〔〖⦋⁅❲⟬「『"],
  ["]", "⟧〛】〕〗⦌⁆❳⟭」』"],
  ["|", "ǀ∣│┃⎮⏐❘❙❚¦׀।"],
  ["/", "⁄∕⧸╱⟋᜵"],
  ["_", "‗▁ˍߺ‿⎽⎼＿"],
  ["-", "‐‑‒–—―−⁃˗➖"],
  ["=", "꞊᐀⹀゠꓿"],
];

const ALPHABETS = [
  { first: 0x1d400, last: 0x1d6a3 },
  { first: 0x1f150, last: 0x1f169 },
  { first: 0x1f170, last: 0x1f189 },
  { first: 0x1f1e6, last: 0x1f1ff },
] as const;

const LETTERS = "abcdefghijkimnopqrstuvwxyz";
export const UNKNOWN = "\uFFFF";

/** What we put into a forged marker: it stays itself, so that nothing is broken twice. */
export const BREAK = "·";
const SPARE_UNITS = 64;
const MAX_SIGNS = 4;
const GROWTH = 1.5;
const MARKS = lazy(() => /\p{M}/gu);

const SEEN_THROUGH = lazy(
  () => /^[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}\u2400-\u2426\uFFFD]$/u,
);

const LINE_END = /^[\u0085\u2028\u2029]$/u;
const BETWEEN_WORDS = lazy(() => /^[\p{P}\p{Z}\u2800]$/u);
const PARENTHESES = /[()]/g;
const NOTHING_KNOWN = new RegExp(`^(?: ?${UNKNOWN} ?)*$`);

export interface FoldedText {
  /** One UTF-16 unit per sign: ASCII, `‹`, `›`, the break sign or the unknown one. */
  readonly text: string;
  /** Where in the given text the character begins that gave each unit; never falls. */
  readonly origins: Int32Array;
}

export function foldText(text: string): FoldedText {
  const known = new Map<number, string>();
  let units = new Uint16Array(text.length + SPARE_UNITS);
  let origins = new Int32Array(units.length);
  let length = 0;
  for (let index = 0; index < text.length; ) {
    const code = text.charCodeAt(index);
    if (code < 0x80) {
      units[length] = foldAscii(code);
      origins[length] = index;
      length += 1;
      index += 1;
    } else {
      const codePoint = text.codePointAt(index) ?? code;
      const signs = recall(known, codePoint);
      for (let place = 0; place < signs.length; place += 1) {
        units[length] = signs.charCodeAt(place);
        origins[length] = index;
        length += 1;
      }
      index += codePoint > 0xffff ? 2 : 1;
    }
    if (units.length - length < SPARE_UNITS) {
      units = grow(units, Uint16Array);
      origins = grow(origins, Int32Array);
    }
  }
  return { text: textOfUnits(units.subarray(0, length)), origins: origins.subarray(0, length) };
}

function foldAscii(code: number): number {
  const lower = code >= 0x41 && code <= 0x5a ? code + 0x20 : code;
  if (lower === 0x6c || lower === 0x31) return 0x69;
  return lower === 0x30 ? 0x6f : lower;
}

function recall(known: Map<number, string>, codePoint: number): string {
  if (isPlainlyUnknown(codePoint)) return UNKNOWN;
  const remembered = known.get(codePoint);
  if (remembered !== undefined) return remembered;
  const signs = foldCharacter(String.fromCodePoint(codePoint));
  known.set(codePoint, signs);
  return signs;
}

/** Ideographs, Hangul syllables and private characters: many, and never like one of our signs. */
function isPlainlyUnknown(codePoint: number): boolean {
  if (codePoint < 0x3400) return false;
  if (codePoint < 0xa000) return true;
  if (codePoint >= 0xac00 && codePoint < 0xd7a4) return true;
  if (codePoint >= 0xe000 && codePoint < 0xf900) return true;
  return (codePoint >= 0x20000 && codePoint < 0x40000) || codePoint >= 0xf0000;
}

function foldCharacter(character: string): string {
  if (SEEN_THROUGH().test(character)) return "";
  if (character === BREAK) return BREAK;
  const whole = findLookAlike(character);
  if (whole !== undefined) return whole;
  if (LINE_END.test(character)) return "\n";
  const parts = character.normalize("NFKD").replace(MARKS(), "");
  const bare = parts.length > 1 ? parts.replace(PARENTHESES, "") : parts;
  const signs = [...bare].slice(0, MAX_SIGNS).map(foldPart).join("");
  return NOTHING_KNOWN.test(signs) ? UNKNOWN : signs;
}

function foldPart(part: string): string {
  const lower = part.toLowerCase();
  if (part === BREAK) return BREAK;
  const code = lower.charCodeAt(0);
  if (code < 0x80) return String.fromCharCode(foldAscii(code));
  const sign = findLookAlike(part) ?? findLookAlike(lower);
  if (sign !== undefined) return sign;
  return BETWEEN_WORDS().test(part) ? " " : UNKNOWN;
}

function grow<T extends Uint16Array | Int32Array>(full: T, Kind: new (length: number) => T): T {
  const larger = new Kind(Math.ceil(full.length * GROWTH) + SPARE_UNITS);
  larger.set(full);
  return larger;
}

/** The sign that `character` is drawn like, or undefined if it is not known to be like any. */
export function findLookAlike(character: string): string | undefined {
  for (const [sign, lookAlikes] of ROWS) if (lookAlikes.includes(character)) return sign;
  const codePoint = character.codePointAt(0) ?? 0;
  const alphabet = ALPHABETS.find(({ first, last }) => codePoint >= first && codePoint <= last);
  if (alphabet === undefined) return undefined;
  return LETTERS[(codePoint - alphabet.first) % LETTERS.length];
}
