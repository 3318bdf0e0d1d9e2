// Long texts in memory, bounded in number and size; the oldest go first.

import type { Artifact, ArtifactStore, RandomSource } from "../../core/index.js";

const MAX_ARTIFACTS = 200;
const MAX_TOTAL_CHARS = 64 * 1024 * 1024;
const MAX_ARTIFACT_CHARS = 16 * 1024 * 1024;
const ID_BYTES = 12;

export function createMemoryArtifacts(ports: { readonly random: RandomSource }): ArtifactStore {
  const artifacts = new Map<string, Artifact>();
  let totalChars = 0;

  function dropOldest(): void {
    for (const [id, { text }] of artifacts) {
      if (artifacts.size <= MAX_ARTIFACTS && totalChars <= MAX_TOTAL_CHARS) return;
      artifacts.delete(id);
      totalChars -= text.length;
    }
  }

  return {
    put(artifact) {
      const { text } = artifact;
      if (text.length > MAX_ARTIFACT_CHARS) return undefined;
      const id = ports.random.hex(ID_BYTES);
      artifacts.set(id, { ...artifact });
      totalChars += text.length;
      dropOldest();
      return id;
    },
    read(id, sessionKey) {
      const artifact = artifacts.get(id);
      return artifact?.sessionKey === sessionKey ? artifact : undefined;
    },
  };
}
