// A text that was too long for an earlier result of the same session, as bytes to page through.

import { type Artifact, ToolError } from "../../core/index.js";
import type { ReadCall } from "./index.js";

const SCHEME = "artifact://";

export function isArtifactPath(path: string): boolean {
  return path.startsWith(SCHEME);
}

export function readArtifact({ params, ctx }: ReadCall): Artifact {
  const artifact = ctx.artifacts?.read(params.path.slice(SCHEME.length), ctx.sessionKey);
  if (artifact !== undefined) return artifact;
  throw new ToolError(
    "not_found",
    "There is no such artifact in this session; it may have been dropped. Make the call that gave it again.",
    { reason: "artifact_missing" },
  );
}
