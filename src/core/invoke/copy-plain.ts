// Deep copies of plain data, for what is shown to others or kept for later: a copy cannot change
// under its holder, and reading it cannot throw.

/** Far below the depth at which JSON.stringify overflows the stack. */
const MAX_DEPTH = 500;
const MAX_VALUES = 1_000_000;
/** More values than a result may show. */
const MAX_JSON_VALUES = 100_000;
const CIRCULAR = "[Circular]";
const TOO_DEEP = "[Too deep]";
const TOO_LARGE = "[Too large]";
const UNREADABLE = "[Unreadable]";

interface Copying {
  readonly purpose: "keep" | "json";
  /** Finished copies, so that shared parts stay shared and cost once. */
  readonly copies: Map<object, unknown>;
  readonly ancestors: Set<object>;
  valuesLeft: number;
}

/**
 * Never throws: a place that cannot be copied says so in its own place. Other objects than plain
 * data (a Date, a Buffer, an object of a class) stay the same object.
 */
export function copyPlain(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  return copyValue(value, startCopy("keep", MAX_VALUES));
}

/** The same for JSON.stringify: bigints become text, objects of classes what JSON shows of them. */
export function copyForJson(value: unknown): unknown {
  return copyValue(value, startCopy("json", MAX_JSON_VALUES));
}

function startCopy(purpose: Copying["purpose"], valuesLeft: number): Copying {
  return { purpose, copies: new Map(), ancestors: new Set(), valuesLeft };
}

function copyValue(value: unknown, copying: Copying): unknown {
  if (typeof value === "bigint" && copying.purpose === "json") return String(value);
  if (typeof value !== "object" || value === null) return value;
  // Shared parts are written out in JSON, so each copy of them counts.
  if (copying.purpose === "keep" && copying.copies.has(value)) return copying.copies.get(value);
  if (copying.ancestors.has(value)) return CIRCULAR;
  if (copying.ancestors.size >= MAX_DEPTH) return TOO_DEEP;
  copying.ancestors.add(value);
  try {
    const copy = copyContainer(value, copying);
    copying.copies.set(value, copy);
    return copy;
  } catch {
    // A proxy, getter or toJSON threw; that costs only its own place.
    return UNREADABLE;
  } finally {
    copying.ancestors.delete(value);
  }
}

function copyContainer(value: object, copying: Copying): unknown {
  if (copying.purpose === "json") {
    const toJson: unknown = Reflect.get(value, "toJSON");
    const replacement = typeof toJson === "function" ? Reflect.apply(toJson, value, []) : value;
    if (replacement !== value) return copyValue(replacement, copying);
  } else if (!Array.isArray(value) && !isPlainObject(value)) return value;
  return Array.isArray(value) ? copyList(value, copying) : copyRecord(value, copying);
}

/** Its prototype is none, or the last of any realm. */
export function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (typeof prototype !== "object" || prototype === null) return true;
  return Object.getPrototypeOf(prototype) === null;
}

function copyList(source: readonly unknown[], copying: Copying): unknown[] {
  const copy: unknown[] = [];
  for (let index = 0; index < source.length; index += 1) {
    if (copying.valuesLeft-- <= 0) {
      copy.push(TOO_LARGE);
      break;
    }
    copy.push(copyMember({ source, key: index }, copying));
  }
  return copy;
}

function copyRecord(source: object, copying: Copying): object {
  const entries: [string, unknown][] = [];
  for (const key of Object.keys(source)) {
    if (copying.valuesLeft-- <= 0) {
      entries.push(copying.purpose === "json" ? [TOO_LARGE, true] : [key, TOO_LARGE]);
      break;
    }
    entries.push([key, copyMember({ source, key }, copying)]);
  }
  // Defines own keys, "__proto__" included, and calls no setter.
  return Object.fromEntries(entries);
}

function copyMember(member: { source: object; key: string | number }, copying: Copying): unknown {
  let value: unknown;
  try {
    value = Reflect.get(member.source, member.key);
  } catch {
    // The getter throws; its neighbours can still be read.
    return UNREADABLE;
  }
  return copyValue(value, copying);
}
