// Journal, audit and artifacts that live as long as the process, bounded in number and size; the
// oldest go first.

import type {
  Artifact,
  ArtifactStore,
  AuditLog,
  AuditRow,
  Journal,
  JournalEnd,
  JournalIntent,
  RandomSource,
} from "../../core/index.js";

const MAX_AUDIT_ROWS = 10_000;
const MAX_JOURNAL_ROWS = 1_000;
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

export interface MemoryAudit extends AuditLog {
  /** The newest 10,000, oldest first. */
  rows(): readonly AuditRow[];
}

export function createMemoryAudit(): MemoryAudit {
  const rows: AuditRow[] = [];
  return {
    append(row) {
      rows.push(row);
      if (rows.length > MAX_AUDIT_ROWS) rows.shift();
    },
    rows: () => [...rows],
  };
}

export interface MemoryJournal extends Journal {
  /** The newest 1,000, oldest first; without `end` while the call runs. */
  rows(): ReadonlyArray<JournalIntent & { readonly end: JournalEnd | undefined }>;
}

export function createMemoryJournal(): MemoryJournal {
  const rows: Array<JournalIntent & { end: JournalEnd | undefined }> = [];
  return {
    async intend(intent) {
      const row = { ...intent, end: undefined as JournalEnd | undefined };
      rows.push(row);
      if (rows.length > MAX_JOURNAL_ROWS) rows.shift();
      return async (end) => {
        row.end = end;
      };
    },
    rows: () => rows.map((row) => ({ ...row })),
  };
}
