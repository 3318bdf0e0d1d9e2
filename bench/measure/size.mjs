// The size of a run: in full, or tiny, which only shows that each benchmark still works.

const IS_TINY = process.env.BENCH_TINY === "1";

export function sized(full, tiny = 1) {
  return IS_TINY ? tiny : full;
}
