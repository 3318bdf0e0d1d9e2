// Reads options strictly, as getopt: unlisted letters, names and abbreviations are refused.

export interface OptionSpec {
  /** As for getopt: `ab:c::` are a flag, a letter with a value, one that may have a value behind it. */
  readonly short?: string;
  /** Letters whose value is always the next word, so that nothing may stand behind them in theirs. */
  readonly separate?: string;
  /** Split by blanks: `name`, `name=` with a value, `name=?` that may have one behind `=`. */
  readonly long?: string;
  /** Long names that take the next word for their value where there is one. */
  readonly longLast?: string;
  /** Long names with two values, in the next two words. */
  readonly longPairs?: string;
  /** `-20` means a count. */
  readonly hasCounts?: true;
}

export interface ReadOption {
  readonly name: string;
  readonly value?: string;
}

export type OptionsReading =
  | {
      readonly ok: true;
      readonly options: readonly ReadOption[];
      readonly operands: readonly string[];
      /** Values that stood in a word of their own. */
      readonly detached: readonly string[];
    }
  | { readonly ok: false; readonly why: string };

export function readOptions(args: readonly string[], spec: OptionSpec): OptionsReading {
  const options: ReadOption[] = [];
  const operands: string[] = [];
  const detached: string[] = [];
  for (let index = 0; index < args.length; index += 1) {
    const word = args[index] ?? "";
    if (word === "--") {
      operands.push(...args.slice(index + 1));
      break;
    }
    if (!word.startsWith("-") || word === "-") {
      operands.push(word);
      continue;
    }
    const next = args[index + 1];
    const isPair = spec.longPairs?.split(" ").includes(word.slice(2)) && word.startsWith("--");
    if (isPair) {
      if (index + 2 >= args.length) return { ok: false, why: `${word} lacks a value` };
      index += 2;
      continue;
    }
    const found = word.startsWith("--")
      ? readLong(word, { spec, next })
      : readShort(word, { spec, next });
    if (found === undefined)
      return { ok: false, why: `the option ${word} is not known to be safe` };
    options.push(...found.options);
    if (!found.takesNext) continue;
    detached.push(next ?? "");
    index += 1;
  }
  return { ok: true, options, operands, detached };
}

interface Context {
  readonly spec: OptionSpec;
  readonly next: string | undefined;
}

type Found = { readonly options: readonly ReadOption[]; readonly takesNext: boolean } | undefined;

function readLong(word: string, { spec, next }: Context): Found {
  const [, name = "", equals, value = ""] = /^--([^=]*)(=?)([\s\S]*)$/.exec(word) ?? [];
  const known = spec.long?.split(" ") ?? [];
  const isLast = spec.longLast?.split(" ").includes(name) === true;
  const takesValue = known.includes(`${name}=`) || isLast;
  const mayHaveValue = known.includes(`${name}=?`);
  if (name === "") return undefined;
  if (equals === "=") {
    if (!takesValue && !mayHaveValue) return undefined;
    return { options: [{ name, value }], takesNext: false };
  }
  const isAlone = known.includes(name) || mayHaveValue || (isLast && next === undefined);
  if (isAlone) return { options: [{ name }], takesNext: false };
  if (!takesValue || next === undefined) return undefined;
  return { options: [{ name, value: next }], takesNext: true };
}

function readShort(word: string, { spec, next }: Context): Found {
  if (spec.hasCounts && /^-[0-9]+$/.test(word)) return { options: [], takesNext: false };
  const options: ReadOption[] = [];
  for (let index = 1; index < word.length; index += 1) {
    const name = word[index] ?? "";
    const kind = kindOf(name, spec);
    if (kind === "") {
      options.push({ name });
      continue;
    }
    const rest = word.slice(index + 1);
    const isSeparate = spec.separate?.includes(name) === true && rest === "";
    if (kind === undefined && !isSeparate) return undefined;
    if (rest !== "" || kind === "::") {
      return { options: [...options, { name, value: rest }], takesNext: false };
    }
    if (next === undefined) return undefined;
    return { options: [...options, { name, value: next }], takesNext: true };
  }
  return { options, takesNext: false };
}

/** The colons behind a letter; undefined for an unknown one. */
function kindOf(letter: string, { short = "" }: OptionSpec): "" | ":" | "::" | undefined {
  const at = letter === ":" ? -1 : short.indexOf(letter);
  if (at === -1) return undefined;
  if (short.startsWith("::", at + 1)) return "::";
  return short[at + 1] === ":" ? ":" : "";
}
