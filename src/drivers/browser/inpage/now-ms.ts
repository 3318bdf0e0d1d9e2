// The time since the document began.

export function nowMs(): number {
  return performance.now();
}
