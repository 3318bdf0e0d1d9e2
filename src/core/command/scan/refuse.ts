// Why a command is outside the grammar, in one shape for all parts of the scanner.

import { toPrintable } from "../../../lib/printable.js";
import type { CommandRefusal } from "../plan.js";

export function refuse(kind: string, message: string): CommandRefusal {
  return { reason: kind, message };
}

/** `at` counts from 0; people count from 1. */
export function refuseAt(
  kind: string,
  place: { readonly text: string; readonly at: number; readonly what: string },
): CommandRefusal {
  const { text, at, what } = place;
  const found =
    at < text.length ? `, before ${JSON.stringify(toPrintable(text.slice(at), 20))}` : "";
  return { reason: kind, message: `The command has ${what} at character ${at + 1}${found}.` };
}

export function isRefusal(value: object): value is CommandRefusal {
  return "reason" in value && "message" in value;
}
