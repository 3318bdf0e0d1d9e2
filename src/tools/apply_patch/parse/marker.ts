// The lines of a patch that begin with three stars and say what follows.

const STARS = "***";
const WORDS = {
  begin: "begin patch",
  end: "end patch",
  add: "add file:",
  delete: "delete file:",
  update: "update file:",
  move: "move to:",
  endOfFile: "end of file",
} as const;

const TAKES_PATH: ReadonlySet<string> = new Set(["add", "delete", "update", "move"]);

export type MarkerKind = keyof typeof WORDS;

export interface Marker {
  readonly kind: MarkerKind;
  /** As it is there, with spaces at its end; "" where the marker takes none. */
  readonly path: string;
}

/** Such a line ends the hunk before it, whatever it says. */
export function beginsWithStars(text: string): boolean {
  return text.startsWith(STARS);
}

/** Letter case and spaces around the stars do not matter; undefined for any other line. */
export function readMarker(text: string): Marker | undefined {
  const line = text.trimStart();
  if (!beginsWithStars(line)) return undefined;
  const words = line.slice(STARS.length).trimStart();
  const kind = MARKER_KINDS.find((name) => {
    const word = WORDS[name];
    return words.slice(0, word.length).toLowerCase() === word;
  });
  if (!kind) return undefined;
  const rest = words.slice(WORDS[kind].length);
  // One space belongs to the marker; a name may begin with another.
  if (TAKES_PATH.has(kind)) return { kind, path: rest.startsWith(" ") ? rest.slice(1) : rest };
  return rest.replaceAll("*", "").trim() === "" ? { kind, path: "" } : undefined;
}

// The keys of the table above, which Object.keys gives as plain texts.
const MARKER_KINDS = Object.keys(WORDS) as MarkerKind[];
