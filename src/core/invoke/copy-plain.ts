// A deep copy of plain data, for what is shown to others or kept for later: it cannot change under
// whoever holds it, and reading it cannot throw. What is no plain data (a Date, a Buffer, an object
// of a class) stays the same object.

const MAX_DEPTH = 500;
const MAX_VALUES = 1_000_000;
const CIRCULAR = "[Circular]";
const TOO_DEEP = "[Too deep]";
const TOO_LARGE = "[Too large]";
const UNREADABLE = "[Unreadable]";

interface Copying {
  /** Finished copies, so that what is shared stays shared and costs once. */
  readonly copies: Map<object, unknown>;
  readonly ancestors: Set<object>;
  valuesLeft: number;
}

/** Never throws: a place that cannot be copied says so in its own place. */
export function copyPlain(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  return copyValue(value, { copies: new Map(), ancestors: new Set(), valuesLeft: MAX_VALUES });
}

function copyValue(value: unknown, copying: Copying): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (copying.copies.has(value)) return copying.copies.get(value);
  if (copying.ancestors.has(value)) return CIRCULAR;
  if (copying.ancestors.size >= MAX_DEPTH) return TOO_DEEP;
  copying.ancestors.add(value);
  try {
    const copy = copyContainer(value, copying);
    copying.copies.set(value, copy);
    return copy;
  } catch {
    // A proxy may throw whatever it is asked; that costs only its own place.
    return UNREADABLE;
  } finally {
    copying.ancestors.delete(value);
  }
}

function copyContainer(value: object, copying: Copying): unknown {
  if (Array.isArray(value)) return copyList(value, copying);
  return isPlainObject(value) ? copyRecord(value, copying) : value;
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
  const copy = {};
  for (const key of Object.keys(source)) {
    const isLast = copying.valuesLeft-- <= 0;
    const value = isLast ? TOO_LARGE : copyMember({ source, key }, copying);
    setOwn(copy, key, value);
    if (isLast) break;
  }
  return copy;
}

/** Assigning "__proto__" would set the prototype instead of a key. */
function setOwn(target: object, key: string, value: unknown): void {
  if (key !== "__proto__") {
    Reflect.set(target, key, value);
    return;
  }
  const descriptor = { value, writable: true, enumerable: true, configurable: true };
  Object.defineProperty(target, key, descriptor);
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
