// Looks at JSON5 text without building anything: how deep it nests, and which keys stand twice in
// one object (the parser would keep the last in silence). Whether it is valid is left to the parser.

import type { KeyPath } from "../key-path.js";
import { createTokenReader, isSkipped, toName } from "./tokens.js";

export interface RepeatedKey {
  readonly path: KeyPath;
  readonly offset: number;
  readonly firstOffset: number;
}

export interface TextScan {
  readonly tooDeep: boolean;
  readonly repeats: readonly RepeatedKey[];
}

export interface ScanOptions {
  readonly maxDepth: number;
  /** The name that a key with escapes stands for. */
  readonly decodeName: (raw: string) => string;
}

interface Frame {
  readonly kind: "object" | "list";
  readonly offsets: Map<string, number>;
  /** The key or index that is being read. */
  step: string | number;
  awaitsKey: boolean;
}

export function scanText(text: string, options: ScanOptions): TextScan {
  const readToken = createTokenReader(text);
  const frames: Frame[] = [];
  const repeats: RepeatedKey[] = [];
  let offset = 0;
  while (offset < text.length) {
    const token = readToken(offset);
    const top = frames.at(-1);
    if (token === "{" || token === "[") {
      frames.push(openFrame(token));
      if (frames.length > options.maxDepth) return { tooDeep: true, repeats: [] };
    } else if (token === "}" || token === "]") {
      frames.pop();
    } else if (token === "," && top !== undefined) {
      advance(top);
    } else if (token !== ":" && top?.awaitsKey === true && !isSkipped(token)) {
      noteKey(toName(token, options.decodeName), { frames, top, offset, repeats });
    }
    offset += token.length;
  }
  return { tooDeep: false, repeats };
}

function openFrame(bracket: "{" | "["): Frame {
  const isObject = bracket === "{";
  return {
    kind: isObject ? "object" : "list",
    offsets: new Map(),
    step: isObject ? "" : 0,
    awaitsKey: isObject,
  };
}

function advance(frame: Frame): void {
  if (typeof frame.step === "number") frame.step += 1;
  else frame.awaitsKey = true;
}

function noteKey(
  name: string,
  place: { frames: readonly Frame[]; top: Frame; offset: number; repeats: RepeatedKey[] },
): void {
  const { frames, top, offset, repeats } = place;
  top.step = name;
  top.awaitsKey = false;
  const firstOffset = top.offsets.get(name);
  if (firstOffset === undefined) top.offsets.set(name, offset);
  else repeats.push({ path: frames.map(({ step }) => step), offset, firstOffset });
}
