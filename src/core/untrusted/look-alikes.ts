// Characters that are drawn like a letter or a sign of our markers, but are other ones to Unicode:
// what compatibility normalisation and lower case already bring home is not listed here.

/**
 * The rows of letters name lower case; l and 1 count as i, and 0 as o, everywhere in the folded
 * view. A capital is listed only where its own lower case looks like another letter.
 */
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

/** Alphabets that stand in order, one behind the other; the mathematical ones have holes. */
const ALPHABETS = [
  { first: 0x1d400, last: 0x1d6a3 },
  { first: 0x1f150, last: 0x1f169 },
  { first: 0x1f170, last: 0x1f189 },
  { first: 0x1f1e6, last: 0x1f1ff },
] as const;
/** With i in the place of l. */
const LETTERS = "abcdefghijkimnopqrstuvwxyz";

/** The sign that `character` is drawn like, or undefined if it is not known to be like any. */
export function findLookAlike(character: string): string | undefined {
  for (const [sign, lookAlikes] of ROWS) if (lookAlikes.includes(character)) return sign;
  const codePoint = character.codePointAt(0) ?? 0;
  const alphabet = ALPHABETS.find(({ first, last }) => codePoint >= first && codePoint <= last);
  if (alphabet === undefined) return undefined;
  return LETTERS[(codePoint - alphabet.first) % LETTERS.length];
}
