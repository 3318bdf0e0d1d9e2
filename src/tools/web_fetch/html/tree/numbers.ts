// Reading lists of numbers by place: what is beyond the end counts as 0.

export function at(list: Int32Array, index: number): number {
  return list[index] ?? 0;
}
