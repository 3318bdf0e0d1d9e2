// Pages through a text that was too long for an earlier result of the same session.

import { ToolError, type ToolResult } from "../../core/index.js";
import type { ReadCall } from "./index.js";
import { showLines } from "./show-lines.js";

const SCHEME = "artifact://";

export function isArtifactPath(path: string): boolean {
  return path.startsWith(SCHEME);
}

export function readArtifact({ params, ctx }: ReadCall): ToolResult {
  const artifact = ctx.artifacts?.read(params.path.slice(SCHEME.length), ctx.sessionKey);
  if (artifact === undefined) {
    throw new ToolError(
      "not_found",
      "There is no such artifact in this session; it may have been dropped. Make the call that gave it again.",
      { reason: "artifact_missing" },
    );
  }
  const { text, untrusted } = artifact;
  const shown = showLines({
    path: params.path,
    decoded: { text, invalidSequences: 0 },
    totalBytes: Buffer.byteLength(text),
    offset: params.offset ?? 1,
    limit: params.limit,
    maxChars: ctx.limits.resultChars,
  });
  return untrusted ? { ...shown, untrusted } : shown;
}
