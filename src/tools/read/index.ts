// What the model sees of `read`; what it does is in execute.ts.

import { defineBuiltIn, PATH_ALIASES, type ToolCall, t } from "../../core/index.js";
import { MAX_LINES, MAX_TEXT_BYTES } from "./limits.js";

const parameters = t.object({
  path: t.string({
    description: "File to read, relative to the root or absolute inside it.",
    minLength: 1,
  }),
  offset: t.optional(t.integer({ description: "First line, counted from 1.", minimum: 1 })),
  limit: t.optional(
    t.integer({ description: `Number of lines; at most ${MAX_LINES}.`, minimum: 1 }),
  ),
  cursor: t.optional(
    t.integer({
      description: "Characters of the first line to skip, for very long lines.",
      minimum: 0,
    }),
  ),
});

const needs = ["bridge", "root"] as const;

export type ReadCall = ToolCall<typeof parameters, typeof needs>;

export type ReadDetails = {
  path: string;
  requestedPath?: string;
  totalBytes: number;
  truncated: boolean;
} & (TextDetails | ImageDetails | { kind: "binary"; mimeType: string });

interface TextDetails {
  kind: "text";
  encoding: string;
  lineEnds?: "crlf" | "mixed";
  offset: number;
  cursor?: number;
  lines: number;
  totalLines?: number;
  nextOffset?: number;
  nextCursor?: number;
  nextLimit?: number;
  invalidSequences?: number;
}

interface ImageDetails {
  kind: "image";
  mimeType: string;
  width?: number;
  height?: number;
  frames?: number;
  shown?: { mimeType: string; width: number; height: number; bytes: number };
}

export const read = defineBuiltIn({
  name: "read",
  description: `Read a text file, or look at an image. Text is cut at ${MAX_LINES} lines or ${MAX_TEXT_BYTES / 1024} KiB; the notice at its end names the call that continues.`,
  parameters,
  readOnly: true,
  effects: { openWorld: false },
  needs,
  aliases: PATH_ALIASES,
  guidance: ["Read a file before you edit it; for a long file ask only for the lines you need."],
  load: () => import("./execute.js"),
});
