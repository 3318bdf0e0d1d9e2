// Plain patterns of file names: `*`, `?`, `[...]`, and a backslash before a literal character.

import { matchesSequence } from "../../match-sequence.js";

const BRACKET = /\[([!^]?)([A-Za-z0-9_.,-]+)\]/y;

interface Bracket {
  readonly set: RegExp;
  readonly length: number;
}

/** undefined for one that means something else in some shells. */
export function readBracket(text: string, at: number): Bracket | undefined {
  BRACKET.lastIndex = at;
  const [whole, sign, body = ""] = BRACKET.exec(text) ?? [];
  if (whole === undefined) return undefined;
  for (let index = 0; index < body.length; ) {
    const [first = "", dash, last] = [body[index], body[index + 1], body[index + 2]];
    const isRange = dash === "-" && last !== undefined;
    const followedByDash = body[index + 3] === "-" && index + 4 < body.length;
    const isOdd = first === "-" || last === "-" || followedByDash;
    if (isRange && (isOdd || first > last)) return undefined;
    index += isRange ? 3 : 1;
  }
  return { set: new RegExp(`^[${sign ? "^" : ""}${body}]$`, "u"), length: whole.length };
}

type Piece = { readonly literal: string } | "*" | "?" | Bracket;

export type GlobPart = { readonly literal: string } | { matches(name: string): boolean };

interface GlobOptions {
  readonly matchesHidden: boolean;
}

export function parseGlob(
  pattern: string,
  { matchesHidden }: GlobOptions = { matchesHidden: false },
): readonly GlobPart[] {
  return pattern.split("/").map((part) => {
    const pieces = readPieces(part);
    const isLiteral = pieces.every((piece) => typeof piece === "object" && "literal" in piece);
    if (isLiteral) return { literal: pieces.map(literalOf).join("") };
    const isShown = (name: string) =>
      matchesHidden || !name.startsWith(".") || literalOf(pieces[0] ?? "*") === ".";
    return { matches: (name: string) => isShown(name) && matchesPieces(pieces, name) };
  });
}

function literalOf(piece: Piece): string {
  return typeof piece === "object" && "literal" in piece ? piece.literal : "";
}

function readPieces(part: string): Piece[] {
  const pieces: Piece[] = [];
  for (let at = 0; at < part.length; ) {
    const sign = String.fromCodePoint(part.codePointAt(at) ?? 0);
    const bracket = sign === "[" ? readBracket(part, at) : undefined;
    if (bracket) pieces.push(bracket);
    else if (sign === "\\") pieces.push({ literal: part[at + 1] ?? "" });
    else if (sign === "*" || sign === "?") pieces.push(sign);
    else pieces.push({ literal: sign });
    at += bracket?.length ?? (sign === "\\" ? 2 : sign.length);
  }
  return pieces;
}

function matchesPieces(pieces: readonly Piece[], name: string): boolean {
  return matchesSequence({
    parts: pieces,
    items: Array.from(name),
    isStar: (piece) => piece === "*",
    matches: matchesOne,
  });
}

function matchesOne(piece: Exclude<Piece, "*"> | "*", character: string): boolean {
  if (piece === "?") return true;
  if (piece === "*") return false;
  return "literal" in piece ? piece.literal === character : piece.set.test(character);
}
