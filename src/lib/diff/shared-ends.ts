// How much of two texts is the same at their beginning and at their end.

/** Characters; never half of a surrogate pair. */
export function countSharedHead(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  let count = 0;
  while (count < most && one.charCodeAt(count) === other.charCodeAt(count)) count++;
  return isHighSurrogate(one.charCodeAt(count - 1)) ? count - 1 : count;
}

export function countSharedTail(texts: { one: string; other: string; head: number }): number {
  const { one, other, head } = texts;
  const most = Math.min(one.length, other.length) - head;
  const shift = other.length - one.length;
  let start = one.length;
  while (
    one.length - start < most &&
    one.charCodeAt(start - 1) === other.charCodeAt(start - 1 + shift)
  ) {
    start--;
  }
  const count = one.length - start;
  return count > 0 && isLowSurrogate(one.charCodeAt(start)) ? count - 1 : count;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}
