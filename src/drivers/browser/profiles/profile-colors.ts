// Colours that tell profiles apart where they are listed; after the last the first comes again.

const COLORS = [
  "#FF4500",
  "#0066CC",
  "#00AA00",
  "#9933FF",
  "#FF6699",
  "#00CCCC",
  "#FF9900",
  "#6666FF",
  "#CC3366",
  "#339966",
] as const;

/** The first that no one has, else one by the number of those that are there. */
export function chooseColor(taken: readonly (string | undefined)[]): string {
  const upper = taken.map((color) => color?.toUpperCase());
  const free = COLORS.find((color) => !upper.includes(color));
  return free ?? COLORS[taken.length % COLORS.length] ?? COLORS[0];
}
