// JSON and plain text as a page: JSON with a line for each value, in a thread when it is large.

import { isToolError } from "../../core/index.js";
import { formatJson } from "./json.js";
import { MAX_KEPT_CHARS } from "./limits.js";
import { runOffThread } from "./off-thread.js";
import type { PageText } from "./page-text.js";
import type { JsonJob } from "./worker.js";

/** Up to here it takes some milliseconds. */
const MAX_CHARS_HERE = 300_000;
const JSON_TIMEOUT_MS = 5_000;
const HANDLED = ["timeout", "failed", "limit"];
const NO_JSON = "it is called JSON and is not valid JSON";
const TOO_LARGE = `only its first ${MAX_KEPT_CHARS} characters were kept`;

export interface PlainRequest {
  readonly source: string;
  readonly content: "json" | "text";
  readonly signal: AbortSignal;
}

export async function readPlain({ source, content, signal }: PlainRequest): Promise<PageText> {
  const format = content === "json" ? await formatPatiently(source, signal) : undefined;
  const pretty = format?.text;
  const isLarge = (pretty ?? source).length >= MAX_KEPT_CHARS;
  return {
    text: pretty ?? source.slice(0, MAX_KEPT_CHARS).trimEnd(),
    title: "",
    extractor: pretty === undefined ? "raw" : "json",
    facts: {},
    warnings: [
      ...(format !== undefined && pretty === undefined ? [NO_JSON] : []),
      ...(isLarge ? [TOO_LARGE] : []),
    ],
  };
}

interface Formatted {
  /** undefined when it is no JSON. */
  readonly text: string | undefined;
}

/** undefined when that would take too long. */
async function formatPatiently(
  source: string,
  signal: AbortSignal,
): Promise<Formatted | undefined> {
  if (source.length <= MAX_CHARS_HERE) return { text: formatJson(source) };
  const job: JsonJob = { kind: "json", source };
  try {
    // The thread runs `work` of the same module, so its answer has that shape.
    return (await runOffThread({ job, timeoutMs: JSON_TIMEOUT_MS, signal })) as Formatted;
  } catch (error) {
    const isHandled = isToolError(error) && HANDLED.includes(error.code);
    if (signal.aborted || !isHandled) throw error;
    return undefined;
  }
}
