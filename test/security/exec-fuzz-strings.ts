// Random command lines for the comparison with bash: mostly of the grammar, with every sign that a
// shell gives a meaning mixed in, and some of them bent by one character.

export const PROGRAMS = ["a", "b", "ab", "x"] as const;
/** What lies in the folder in which the lines are planned and run. */
export const FILES = ["a.t", "b.t", "ab.u", ".hid", "-dash", "c d", "Z", "d/a.t", "d/q", "d/.h"];

const NAMES = [
  "a",
  "b",
  "ab",
  "x",
  "'a'",
  '"b"',
  "\\a",
  "a''",
  "'a'b",
  'a"b"',
  "\\x",
  "a",
  "b",
  "x",
];
const PLAIN = [
  "a",
  "b",
  "1",
  "2",
  "-n",
  "a=b",
  ".",
  "d/",
  "d/q",
  "@",
  "%",
  "+",
  ",",
  ":",
  "^",
  "]",
  "}",
];
const QUOTED = [
  "'q r'",
  '"s t"',
  "''",
  '""',
  "'$x'",
  '"a\\$b"',
  '"\\""',
  "'\"'",
  "\\ ",
  "\\;",
  "\\$",
  "\\*",
  '"*"',
  "'[a]'",
  '"end$"',
  '"x$|y"',
  "\\\\",
  '"a\\b"',
  "\\'",
  "'\n'",
  '"\n"',
  "\\~",
  "\\#",
  '"\\`"',
];
const PATTERNS = [
  "*",
  "?",
  "[ab]",
  "[!a]",
  "[^a]*",
  "*.t",
  "d/*",
  "*/*",
  "a*",
  "?.t",
  "[a-b].t",
  "*/",
  ".*",
  "./*",
  "[A-Z]",
];
const STRANGE = [
  "$x",
  `$${"{x}"}`,
  "$(a)",
  "`a`",
  "~",
  "~a",
  "=~",
  ":~",
  "#",
  "#c",
  "!",
  "{a,b}",
  "{1..2}",
  "{}",
  "{",
  "[",
  "[a",
  "[[:alpha:]]",
  "$'a'",
  '$"a"',
  "\\\n",
  "(",
  ")",
  "&",
  "<(a)",
  "é",
  "\u00a0",
  "\u3000",
  "\ufeff",
  "\r",
  "\u202e",
  "$",
  '"$x"',
  '"`a`"',
  "*(a)",
  "a[",
];
const BLANKS = [" ", " ", " ", "  ", "\t", " \t"];
const JOINS = [
  "|",
  "&&",
  "||",
  ";",
  "\n",
  "; ",
  " && ",
  " | ",
  " || ",
  "\n\n",
  ";\n",
  "|\n",
  "&&\n",
  ";&",
  "&&&",
  "|&>f ",
  ";&>f ",
  ";;",
  "|&",
  "&",
  "| |",
];
const REDIRECTS = [
  ">f",
  "> f",
  ">>f",
  "2>g",
  "2>>g",
  "<a.t",
  "< d/q",
  "2>&1",
  ">&2",
  "1>&2",
  "&>f",
  "&>>f",
  ">f 2>&1",
  ">d/new",
  "</dev/null",
  ">/dev/null",
  ">'w w'",
  ">2",
  "2>2>&1",
  "x2>g",
  "0>&2",
  "3>f",
  ">&f",
  ">|f",
  "<>f",
  "<<E",
  "<<<a",
  "{v}>f",
  ">*",
  "> ",
  "2>&1x",
  "<missing",
  ">&-",
  "2>f>g",
];
const ALPHABET = "ab1 \t\n;&|<>()'\"\\$`*?[]~{}#!=:,.-^%@é";

export type Random = () => number;

export function makeLine(random: Random): string {
  const line = [makeCommand(random)];
  while (random() < 0.4) line.push(pick(random, JOINS), makeCommand(random));
  const whole = line.join("");
  return random() < 0.15 ? bend(whole, random) : whole;
}

function makeCommand(random: Random): string {
  const words = [random() < 0.04 ? makeWord(random) : pick(random, NAMES)];
  while (random() < 0.55) words.push(makeWord(random));
  if (random() < 0.2)
    words.splice(Math.floor(random() * (words.length + 1)), 0, pick(random, REDIRECTS));
  return words.reduce((text, word) => text + pick(random, BLANKS) + word);
}

function makeWord(random: Random): string {
  let word = "";
  do {
    const kind = random();
    if (kind < 0.4) word += pick(random, PLAIN);
    else if (kind < 0.72) word += pick(random, QUOTED);
    else if (kind < 0.95) word += pick(random, PATTERNS);
    else word += pick(random, STRANGE);
  } while (random() < 0.35);
  return word;
}

/** One character put in, taken out or replaced. */
function bend(line: string, random: Random): string {
  const at = Math.floor(random() * (line.length + 1));
  const taken = random() < 0.6 ? 1 : 0;
  const put = random() < 0.7 ? (ALPHABET[Math.floor(random() * ALPHABET.length)] ?? "") : "";
  return line.slice(0, at) + put + line.slice(at + taken);
}

function pick(random: Random, values: readonly string[]): string {
  return values[Math.floor(random() * values.length)] ?? "";
}
