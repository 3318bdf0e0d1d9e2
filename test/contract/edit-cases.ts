// The cases of edit-cases.test.ts: what a file is before, what is asked for, what it is after.

export interface EditCase {
  readonly title: string;
  readonly before: string;
  readonly oldText: string;
  readonly newText: string;
  readonly after: string;
}

type Row = readonly [
  title: string,
  before: string,
  oldText: string,
  newText: string,
  after: string,
];

const toCases = (rows: readonly Row[]): EditCase[] =>
  rows.map(([title, before, oldText, newText, after]) => ({
    title,
    before,
    oldText,
    newText,
    after,
  }));

/** The text is in the file as it was sent. */
export const EXACT = toCases([
  ["a word", "a b c", "b", "x", "a x c"],
  ["the whole file", "a", "a", "b", "b"],
  ["the beginning", "ab", "a", "x", "xb"],
  ["the end", "ab", "b", "x", "ax"],
  ["nothing in its place", "abc", "b", "", "ac"],
  ["a whole line with its end", "a\nb\nc\n", "b\n", "", "a\nc\n"],
  ["a longer text", "a b", "b", "b b b", "a b b b"],
  ["lines put in between", "a\nc\n", "a\nc\n", "a\nb\nc\n", "a\nb\nc\n"],
  ["a text that ends before the last line end", "a\nb\n", "a\nb", "x", "x\n"],
  ["a missing final line end", "a\nb", "b", "c", "a\nc"],
  ["a final line end put there", "a\nb", "b", "b\n", "a\nb\n"],
  ["a final line end taken away", "a\nb\n", "b\n", "b", "a\nb"],
  ["blank lines at the end", "a\n\n\n", "a\n", "b\n", "b\n\n\n"],
  ["indentation", "\tif (x) {\n\t\ty;\n\t}\n", "\t\ty;", "\t\tz;", "\tif (x) {\n\t\tz;\n\t}\n"],
  ["trailing white space that was asked for", "a  \nb", "a  ", "a", "a\nb"],
  ["pattern letters", "f(.*)[a-z]+?", "(.*)[", "x[", "fx[a-z]+?"],
  ["replacement letters", "a", "a", "$& $1 $$ $`", "$& $1 $$ $`"],
  ["backslashes", "C:\\new\\table", "\\new", "\\old", "C:\\old\\table"],
  ["a NUL", "a\0b", "b", "c", "a\0c"],
  ["characters of four bytes", "x😀y😁", "😀", "😂", "x😂y😁"],
  ["one of two that begin alike", "日本 日木", "日木", "x", "日本 x"],
  ["a mark of its own", "a\u0301 b", "b", "c", "a\u0301 c"],
  ["a joined emoji", "👨‍👩‍👧 x", "x", "y", "👨‍👩‍👧 y"],
  ["right-to-left text", "שלום עולם", "עולם", "x", "שלום x"],
  ["curly marks as they are", "“a” “b”", "“a”", "“c”", "“c” “b”"],
  ["an exact place beside a loose one", '“a”\n"a"\n', '"a"', "x", "“a”\nx\n"],
  ["a long line", `${"x".repeat(5_000)}END`, "END", "end", `${"x".repeat(5_000)}end`],
  [
    "a text longer than the native search takes",
    `-${"ab".repeat(300)}-`,
    "ab".repeat(300),
    "c",
    "-c-",
  ],
]);

/** Line ends of the file stay, whatever came with the call. */
export const LINE_ENDS = toCases([
  ["CRLF found by LF", "a\r\nb\r\nc\r\n", "a\nb", "a\nX\nb", "a\r\nX\r\nb\r\nc\r\n"],
  ["LF found by CRLF", "a\nb\nc", "a\r\nb", "a\r\nX", "a\nX\nc"],
  ["CRLF found by CRLF", "a\r\nb\r\n", "a\r\nb", "a\r\nc", "a\r\nc\r\n"],
  ["mixed ends around", "a\r\nb\nc\r\nd\n", "b", "x\ny", "a\r\nx\ny\nc\r\nd\n"],
  ["mixed ends inside", "a\nb\r\nc\nd", "a\nb\nc", "a\nB\nc", "a\nB\r\nc\nd"],
  [
    "mixed ends inside, two changes",
    "a\nb\r\nc\nd\r\ne",
    "a\nb\nc\nd",
    "A\nb\nc\nD",
    "A\nb\r\nc\nD\r\ne",
  ],
  ["a line put between mixed ends", "a\nb\r\nc\n", "b\nc", "b\nX\nc", "a\nb\r\nX\r\nc\n"],
  ["an end taken from the line before", "a\r\nb", "b", "b\nc", "a\r\nb\r\nc"],
  ["an end taken from the line itself", "a\nb\r\nc\n", "b", "b\nx", "a\nb\r\nx\r\nc\n"],
  ["a file without line ends, LF", "a", "a", "b\nc", "b\nc"],
  ["a file without line ends, CRLF", "a", "a", "b\r\nc", "b\r\nc"],
  ["a line feed first", "a\r\nb\r\n", "\nb", "\nB", "a\r\nB\r\n"],
  ["a line feed first, taken away", "a\r\nb\r\n", "\nb", "b", "ab\r\n"],
  ["lines joined", "a\r\nb\r\n", "a\nb", "a b", "a b\r\n"],
  ["a line taken out", "a\r\nb\r\nc\r\n", "b\n", "", "a\r\nc\r\n"],
  ["lone carriage returns", "a\rb\r\nc", "c", "d", "a\rb\r\nd"],
  ["lone carriage returns in the text", "a\rb\rc", "a\rb", "a\rx", "a\rx\rc"],
  ["CRLF with a missing final end", "a\r\nb", "a\nb", "a\nc", "a\r\nc"],
  ["blank lines of CRLF", "a\r\n\r\nb", "a\n\nb", "a\nb", "a\r\nb"],
]);

/** The byte order mark stays. */
export const MARKS = toCases([
  ["a mark before the text", "\uFEFFa b", "a", "x", "\uFEFFx b"],
  ["a mark and CRLF", "\uFEFFa\r\nb", "a\n", "x\n", "\uFEFFx\r\nb"],
  ["a mark and a loose match", "\uFEFF“a” b", '"a" b', '"a" c', "\uFEFF“a” c"],
  ["a mark that was sent along", "\uFEFFa b", "\uFEFFa", "\uFEFFx", "\uFEFFx b"],
  ["a mark alone before a new line", "\uFEFF\na", "a", "b", "\uFEFF\nb"],
]);

/** The text is there in loose form only; what was not to change stays as it is in the file. */
export const LOOSE = toCases([
  ["double quotation marks", "say “yes” now", 'say "yes" now', 'say "no" now', "say “no” now"],
  ["low and reversed marks", "„a‟ x", '"a" x', '"a" y', "„a‟ y"],
  ["single quotation marks", "it’s ‘a’", "it's 'a'", "it's 'b'", "it’s ‘b’"],
  ["marks the other way round", 'say "yes"', "say “yes”", "say “no”", 'say "no"'],
  ["an en dash", "1–2 x", "1-2 x", "1-2 y", "1–2 y"],
  ["an em dash", "a—b x", "a-b x", "a-b y", "a—b y"],
  ["a minus sign", "a − b", "a - b", "a - c", "a − c"],
  ["a hyphen that does not break", "a‑b x", "a-b x", "a-b y", "a‑b y"],
  ["a space that does not break", "a\u00A0b c", "a b c", "a b d", "a\u00A0b d"],
  ["a wide space", "a\u3000b c", "a b c", "a b d", "a\u3000b d"],
  ["a thin space", "10\u202Fkm x", "10 km x", "10 km y", "10\u202Fkm y"],
  ["an ellipsis", "wait… x", "wait... x", "wait... y", "wait… y"],
  ["a ligature", "oﬃce x", "office x", "office y", "oﬃce y"],
  ["a fraction", "½ cup", "1⁄2 cup", "1⁄2 jar", "½ jar"],
  ["full-width letters", "ＡＢＣ x", "ABC x", "ABC y", "ＡＢＣ y"],
  ["a superscript", "x² + y", "x2 + y", "x2 + z", "x² + z"],
  ["letters of two parts", "cafe\u0301 x", "café x", "café y", "cafe\u0301 y"],
  ["letters of one part", "café x", "cafe\u0301 x", "cafe\u0301 y", "café y"],
  ["Hangul in parts", "\u1100\u1161 x", "가 x", "가 y", "\u1100\u1161 y"],
  ["half-width kana", "ｶﾞ x", "ガ x", "ガ y", "ｶﾞ y"],
  ["white space at line ends", "a  \nb x", "a\nb x", "a\nb y", "a  \nb y"],
  ["white space in the text only", "a\nb x", "a  \nb x", "a  \nb y", "a\nb y"],
  ["tabs at line ends with CRLF", "a\t\r\nb x\r\n", "a\nb x", "a\nb y", "a\t\r\nb y\r\n"],
  ["white space before the changed word's line end", "a  \nb", "a \nb", "c \nb", "c  \nb"],
  ["white space at the end of the text", "a “b”\nc", 'a "b" ', 'a "d" ', "a “d”\nc"],
  ["a carriage return that belongs to the line end", "a\r\nb\r\n", "a\r", "x", "x\r\nb\r\n"],
  ["a blank line with spaces", "a\n   \nb", "a\n\nb", "a\n\nc", "a\n   \nc"],
  [
    "several marks around several changes",
    "“a” – ‘b’ – “c”",
    '"a" - \'b\' - "c"',
    '"x" - \'b\' - "y"',
    "“x” – ‘b’ – “y”",
  ],
  ["a word put in", "“a” “b”", '"a" "b"', '"a" and "b"', "“a” and “b”"],
  ["a word taken out", "“a” and “b”", '"a" and "b"', '"a" "b"', "“a” “b”"],
  ["a line put in", "“a”\n“b”\n", '"a"\n"b"', '"a"\n-\n"b"', "“a”\n-\n“b”\n"],
  ["a line put in with CRLF", "“a”\r\n“b”\r\n", '"a"\n"b"', '"a"\n-\n"b"', "“a”\r\n-\r\n“b”\r\n"],
  ["a line taken out", "“a”\n“b”\n“c”\n", '"a"\n"b"\n"c"', '"a"\n"c"', "“a”\n“c”\n"],
  ["all of a loose text", "x “a”y", '"a"', "", "x y"],
  ["new marks where old ones were", "“a”", '"a"', "[a]", "[a]"],
  ["marks outside of the match", "“x” “a” “y”", '"a"', '"b"', "“x” “b” “y”"],
  [
    "a text of many lines",
    "‘1’\n‘2’\n‘3’\n‘4’\n",
    "'1'\n'2'\n'3'",
    "'1'\n'two'\n'3'",
    "‘1’\n‘two’\n‘3’\n‘4’\n",
  ],
]);
