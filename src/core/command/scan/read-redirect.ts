// Redirects: from and to files, both outputs to one file, and one output to the other.

import type { CommandRefusal } from "../plan.js";
import { isRefusal, readWord, refuseAt, type ScannedWord } from "./read-word.js";

export type ScannedRedirect =
  | {
      readonly kind: "read" | "write" | "append";
      readonly fd: number;
      readonly target: ScannedWord;
    }
  | { readonly kind: "duplicate"; readonly fd: number; readonly target: number };

export interface RedirectEnd {
  readonly redirects: readonly ScannedRedirect[];
  readonly next: number;
}

const BLANKS = /[ \t]*/y;
const DUPLICATE = />&([12])(?=[ \t\n;|&]|$)/y;
const OPERATOR = /&>>|&>|>>|>|</y;
const AFTER_OPERATOR = /[<>&|(]/;
const INPUT = 0;
const OUTPUT = 1;
const ERRORS = 2;

export function readRedirect(
  source: string,
  place: { readonly at: number; readonly fd?: number },
): RedirectEnd | CommandRefusal {
  const { at, fd } = place;
  const refuse = (what: string) => refuseAt("redirect", { text: source, at, what });
  DUPLICATE.lastIndex = at;
  const duplicate = DUPLICATE.exec(source);
  if (duplicate !== null) {
    if (fd === INPUT) return refuse("a redirect of the input to an output");
    const redirect = { kind: "duplicate", fd: fd ?? OUTPUT, target: Number(duplicate[1]) } as const;
    return { redirects: [redirect], next: at + duplicate[0].length };
  }
  OPERATOR.lastIndex = at;
  const operator = OPERATOR.exec(source)?.[0] ?? "";
  if (operator === "" || AFTER_OPERATOR.test(source[at + operator.length] ?? "")) {
    return refuse("a redirect that is not read here");
  }
  if (fd !== undefined && (operator === "<") !== (fd === INPUT)) {
    return refuse("a redirect of an unusual descriptor");
  }
  const target = readTarget(source, at + operator.length);
  if (isRefusal(target)) return target;
  return { redirects: toRedirects({ operator, fd, target: target.word }), next: target.next };
}

function toRedirects(found: {
  readonly operator: string;
  readonly fd: number | undefined;
  readonly target: ScannedWord;
}): readonly ScannedRedirect[] {
  const { operator, fd, target } = found;
  if (operator === "<") return [{ kind: "read", fd: INPUT, target }];
  const kind = operator.endsWith(">>") ? "append" : "write";
  const file: ScannedRedirect = { kind, fd: fd ?? OUTPUT, target };
  return operator.startsWith("&")
    ? [file, { kind: "duplicate", fd: ERRORS, target: OUTPUT }]
    : [file];
}

function readTarget(source: string, at: number) {
  BLANKS.lastIndex = at;
  const start = at + (BLANKS.exec(source)?.[0].length ?? 0);
  const refuse = (what: string) => refuseAt("redirect", { text: source, at: start, what });
  const end = readWord(source, start);
  if (isRefusal(end)) return end;
  const { word, next } = end;
  if (word.text === "") return refuse("a redirect without a file");
  if (word.pattern !== undefined) return refuse("a redirect to a pattern");
  const isDescriptor = word.isPlain && /^[0-9]+$/.test(word.text);
  if (isDescriptor && /[<>]/.test(source[next] ?? "")) return refuse("a redirect without a file");
  return end;
}
