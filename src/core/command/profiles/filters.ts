// Programs that turn lines into other lines, and small programs that only print.

import {
  type ProfileRow,
  type ProgramProfile,
  toReads,
  unknownArguments,
  ZONED_DATE,
} from "./profile.js";
import { readOptions } from "./read-options.js";

export const FILTERS: readonly ProfileRow[] = [
  {
    names: "sort",
    short: "bcCdfghiMmnRrsuVzk:t:S:",
    long: "ignore-leading-blanks dictionary-order ignore-case general-numeric-sort human-numeric-sort ignore-nonprinting month-sort numeric-sort random-sort reverse version-sort merge stable unique zero-terminated key= field-separator= buffer-size= sort= parallel= batch-size= check=?",
  },
  {
    names: "uniq",
    short: "cdDiuzf:s:w:",
    long: "count repeated ignore-case unique zero-terminated skip-fields= skip-chars= check-chars= all-repeated=? group=?",
    // A second one is written.
    maxOperands: 1,
  },
  {
    names: "cut",
    short: "nszb:c:d:f:",
    long: "complement only-delimited zero-terminated bytes= characters= delimiter= fields= output-delimiter=",
  },
  {
    names: "tr",
    short: "cCdst",
    long: "complement delete squeeze-repeats truncate-set1",
    operands: "text",
    maxOperands: 2,
  },
  {
    names: "comm",
    short: "123z",
    long: "check-order nocheck-order total zero-terminated output-delimiter=",
    maxOperands: 2,
  },
  { names: "paste", short: "szd:", long: "serial zero-terminated delimiters=" },
  { names: "join", short: "iz1:2:a:e:j:o:t:v:", long: "ignore-case header", maxOperands: 2 },
  { names: "mkdir", short: "pvm:", long: "parents verbose mode=", operands: "writes" },
  {
    names: "touch",
    short: "acmd:t:",
    long: "no-create date= time=",
    operands: "writes",
    refusedValues: ZONED_DATE,
  },
  { names: "pwd", short: "LP", operands: "none" },
  { names: "true false whoami tty arch nproc logname", operands: "none" },
  { names: "uname", short: "asnrvmpio", long: "all", operands: "none" },
  { names: "id groups", short: "agGnruz", operands: "text" },
  { names: "hostname", short: "fsidI", operands: "none" },
  { names: "seq", short: "wf:s:", hasCounts: true, operands: "text" },
  { names: "sleep", operands: "text" },
  { names: "basename", short: "azs:", long: "multiple zero suffix=", operands: "text" },
  { names: "dirname", short: "z", operands: "text" },
  { names: "which", short: "a", operands: "text" },
  { names: "uptime", short: "ps", operands: "none" },
  { names: "df", short: "ahHiklPTB:t:x:" },
];

const SANDBOX = "--sandbox";
const SED_OPTIONS = {
  short: "nErsuze:l:",
  long: "quiet silent regexp-extended separate unbuffered null-data posix sandbox debug expression= line-length=",
} as const;

const ADDRESS = String.raw`(?:\d+(?:~\d+)?|\$|\/(?:\\.|[^\\/\n])*\/)`;
const SUBSTITUTE = ["/", "|", "#", ","].map((sign) => {
  const body = String.raw`(?:\\.|[^\\${sign}\n])*`;
  const pair = `\\${sign}${body}\\${sign}${body}\\${sign}`;
  return `s${pair}[gIp0-9]*|y${pair}`;
});
const LINES = String.raw`(?:${ADDRESS}(?:,\+?${ADDRESS})?!?)?`;
const SIMPLE = `${LINES}(?:[pdq=]|${SUBSTITUTE.join("|")})?`;
const STATEMENT = `(?:${SIMPLE}|${LINES}\\{${SIMPLE}(?:; ?${SIMPLE})*\\})`;
const SED_SCRIPT = new RegExp(`^${STATEMENT}(?:; ?${STATEMENT})*$`);

const sed: ProgramProfile = {
  names: ["sed", "gsed"],
  read(args) {
    const reading = readOptions(args, SED_OPTIONS);
    if (!reading.ok) return reading;
    const { options, operands } = reading;
    const given = options.filter(({ name }) => name === "e" || name === "expression");
    const hasScript = given.length > 0;
    const scripts = hasScript ? given.map(({ value = "" }) => value) : operands.slice(0, 1);
    if (!scripts.every((script) => SED_SCRIPT.test(script))) {
      return unknownArguments("its script does more than print, leave out or replace lines");
    }
    const rest = args[0] === SANDBOX ? args.slice(1) : args;
    const paths = toReads(hasScript ? operands : operands.slice(1));
    return { ok: true, paths, args: [SANDBOX, ...rest], added: [SANDBOX] };
  },
};

const AWK_REACH =
  /(?<!\|)\|(?!\|)|@|getline|system|ARGV|ARGC|ARGIND|ENVIRON|PROCINFO|SYMTAB|FUNCTAB|textdomain|gettext/;

const COMPARED = /\((?:(?!print)[^()"/\n#\\])*\)/g;
const MAX_DEPTH = 8;

function mayWrite(program: string): boolean {
  const start = program.indexOf("{");
  let body = start === -1 ? "" : program.slice(start);
  for (let depth = 0; depth < MAX_DEPTH; depth += 1) body = body.replace(COMPARED, "");
  return body.includes(">");
}

const awk: ProgramProfile = {
  names: ["awk", "mawk", "gawk", "nawk", "original-awk"],
  read(args) {
    const reading = readOptions(args, { short: "F:v:" });
    if (!reading.ok) return reading;
    const [program, ...files] = reading.operands;
    // Options end at the program; what looks like one behind it would be read otherwise by some.
    const isMixed = args.indexOf(program ?? "") < args.findLastIndex((word) => /^-[Fv]/.test(word));
    if (program === undefined || isMixed) return unknownArguments("its program is not clear");
    if (AWK_REACH.test(program)) return unknownArguments("its program reaches beyond its input");
    if (mayWrite(program)) return unknownArguments("its program may write; compare in brackets");
    const assignment = files.find((word) => word.includes("="));
    if (assignment) return unknownArguments(`"${assignment}" is an assignment, not a file`);
    return { ok: true, paths: toReads(files) };
  },
};

const JQ_OPTIONS = {
  short: "rRsncCMSaje",
  long: "raw-output raw-input slurp null-input compact-output color-output monochrome-output sort-keys ascii-output join-output exit-status tab indent=",
  longPairs: "arg argjson",
} as const;
const JQ_REACH =
  /__|\b(?:env|ENV|import|include|input_filename|input_line_number|modulemeta|get_search_list|debug|stderr|halt_error)\b/;

const jq: ProgramProfile = {
  names: ["jq"],
  read(args) {
    const reading = readOptions(args, JQ_OPTIONS);
    if (!reading.ok) return reading;
    const [filter, ...files] = reading.operands;
    if (filter === undefined) return unknownArguments("it has no filter");
    if (JQ_REACH.test(filter)) return unknownArguments("its filter reaches beyond its input");
    // It reads ~/.jq, which may change what a filter means.
    return { ok: true, paths: toReads(files), settings: "home" };
  },
};

const UNPACKERS = "gzip bzip2 xz lzma lzip lzop zstd compress uncompress lz4 lrzip grzip".split(
  " ",
);
const TAR_LIST = /^-?[tvzjJ]*t[tvzjJ]*f$/;

const tar: ProgramProfile = {
  names: ["tar", "gtar", "bsdtar"],
  read(args) {
    const [letters = "", file, ...members] = args;
    const isList = TAR_LIST.test(letters) && file !== undefined;
    if (!isList || members.some((word) => word.startsWith("-"))) {
      return unknownArguments("only a list of one archive (tar tf FILE) is known to be safe");
    }
    if (/^-|:/.test(file)) return unknownArguments(`"${file}" may name another machine`);
    return { ok: true, paths: toReads([file]), helpers: UNPACKERS };
  },
};

export const SCRIPT_PROFILES: readonly ProgramProfile[] = [sed, awk, jq, tar];
