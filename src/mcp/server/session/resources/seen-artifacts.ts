// The artifacts that the results of one session named: what its list of resources holds.

import type { ContentBlock } from "../../../../core/index.js";

const MAX_SEEN = 200;
const ARTIFACT = /\bartifact:\/\/[0-9a-f]{24}\b/g;

export interface SeenArtifact {
  readonly uri: string;
  /** The tool whose result named it. */
  readonly toolName: string;
}

export interface SeenArtifacts {
  /** Those that were not known before. */
  note(toolName: string, content: readonly ContentBlock[]): readonly SeenArtifact[];
  /** Newest first. */
  list(): readonly SeenArtifact[];
}

export function createSeenArtifacts(): SeenArtifacts {
  const seen = new Map<string, SeenArtifact>();
  return {
    note(toolName, content) {
      const uris = content.flatMap((block) =>
        block.type === "text" ? [...block.text.matchAll(ARTIFACT)].map(([uri]) => uri) : [],
      );
      const added = [...new Set(uris)]
        .filter((uri) => !seen.has(uri))
        .map((uri) => ({ uri, toolName }));
      for (const artifact of added) seen.set(artifact.uri, artifact);
      for (const uri of [...seen.keys()].slice(0, Math.max(0, seen.size - MAX_SEEN))) {
        seen.delete(uri);
      }
      return added;
    },
    list: () => [...seen.values()].reverse(),
  };
}
