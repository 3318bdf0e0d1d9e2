// The id of a tab in the spellings that models use.

const NUMBERED = /^t?(\d+)$/i;

/** `t1` for `T1`, `1`, 1; whatever else it is stays. */
export function readTargetId(given: string): string {
  const [, number] = NUMBERED.exec(given.trim()) ?? [];
  return number === undefined ? given : `t${Number(number)}`;
}
