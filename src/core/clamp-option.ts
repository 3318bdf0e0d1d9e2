// A number that was asked for, brought within its limits; that it was is reported, not hidden.

export interface Bounds {
  /** As the caller wrote it. */
  readonly name: string;
  readonly least: number;
  readonly most: number;
}

export interface Clamped {
  readonly value: number | undefined;
  /** One sentence when the number was changed, else none. */
  readonly notes: readonly string[];
}

export function clampOption(asked: number | undefined, { name, least, most }: Bounds): Clamped {
  if (asked === undefined) return { value: undefined, notes: [] };
  const value = Math.min(Math.max(asked, least), most);
  const note = `${name} ${asked} was taken as ${value}: it goes from ${least} to ${most}.`;
  return { value, notes: value === asked ? [] : [note] };
}
