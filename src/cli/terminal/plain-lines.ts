// Text of files for a terminal, where control characters would act; a program gets every byte.

import type { Output } from "../command.js";

const CONTROL = /[^\P{Cc}\t\n]/gu;

export function toPlainLines({ isTerminal }: Pick<Output, "isTerminal">, text: string): string {
  return isTerminal ? text.replace(CONTROL, toEscape) : text;
}

function toEscape(sign: string): string {
  return `\\x${sign.charCodeAt(0).toString(16).padStart(2, "0")}`;
}
