// Reads options strictly, as getopt: unlisted letters, names and abbreviations are refused.

export interface OptionSpec {
  /** Letters without a value. */
  readonly flags?: string;
  /** Letters with a value, in the same word or the next. */
  readonly values?: string;
  /** Letters whose value is always the next word, so that nothing may stand behind them in theirs. */
  readonly separate?: string;
  /** Letters that may have a value, in the same word only. */
  readonly optional?: string;
  /** Long names without a value, split by blanks. */
  readonly long?: string;
  /** Long names with a value, behind `=` or in the next word. */
  readonly longValues?: string;
  /** Long names that take the next word for their value where there is one. */
  readonly longLast?: string;
  /** Long names with two values, in the next two words. */
  readonly longPairs?: string;
  /** Long names that may have a value behind `=`. */
  readonly longOptional?: string;
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
  const isIn = (names: string | undefined) => names?.split(" ").includes(name) === true;
  if (name === "") return undefined;
  if (equals === "=") {
    if (![spec.longValues, spec.longOptional, spec.longLast].some(isIn)) return undefined;
    return { options: [{ name, value }], takesNext: false };
  }
  const isAlone = next === undefined && isIn(spec.longLast);
  if (isIn(spec.long) || isIn(spec.longOptional) || isAlone)
    return { options: [{ name }], takesNext: false };
  if (!(isIn(spec.longValues) || isIn(spec.longLast)) || next === undefined) return undefined;
  return { options: [{ name, value: next }], takesNext: true };
}

function readShort(word: string, { spec, next }: Context): Found {
  if (spec.hasCounts && /^-[0-9]+$/.test(word)) return { options: [], takesNext: false };
  const options: ReadOption[] = [];
  for (let index = 1; index < word.length; index += 1) {
    const name = word[index] ?? "";
    if (spec.flags?.includes(name)) {
      options.push({ name });
      continue;
    }
    const rest = word.slice(index + 1);
    if (spec.optional?.includes(name))
      return { options: [...options, { name, value: rest }], takesNext: false };
    const isSeparate = spec.separate?.includes(name) === true && rest === "";
    if (!spec.values?.includes(name) && !isSeparate) return undefined;
    if (rest !== "") return { options: [...options, { name, value: rest }], takesNext: false };
    if (next === undefined) return undefined;
    return { options: [...options, { name, value: next }], takesNext: true };
  }
  return { options, takesNext: false };
}
