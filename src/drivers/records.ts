// Artifacts, in memory or in files, bounded in number and size.

import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { Artifact, ArtifactStore, Clock, RandomSource } from "../core/index.js";
import { readField, readText } from "../lib/read-field.js";

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

const MAX_FILES = 50;
const MAX_TOTAL_BYTES = 64 * 1024 * 1024;
const MAX_AGE_MS = 24 * 60 * 60 * 1_000;
const ID = /^[0-9a-f]{24}$/;
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

interface FileArtifactsOptions {
  readonly folder: string;
  /** Only artifacts of the same scope and session are returned. */
  readonly scope: string;
  readonly clock: Pick<Clock, "now">;
  readonly random: RandomSource;
}

/** When it cannot be written, the text is not kept. */
export function createFileArtifacts(options: FileArtifactsOptions): ArtifactStore {
  const { folder, scope, clock, random } = options;
  return {
    put(artifact) {
      if (artifact.text.length > MAX_ARTIFACT_CHARS) return undefined;
      const id = random.hex(ID_BYTES);
      try {
        mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
        const unfinished = join(folder, `.${id}`);
        writeFileSync(unfinished, JSON.stringify({ ...artifact, scope }), { mode: FILE_MODE });
        renameSync(unfinished, join(folder, id));
        dropOld({ folder, nowMs: clock.now(), kept: id });
        return id;
      } catch (error) {
        if (isSystemError(error)) return undefined;
        throw error;
      }
    },
    read(id, sessionKey) {
      if (!ID.test(id)) return undefined;
      const file = join(folder, id);
      try {
        if (clock.now() - statSync(file).mtimeMs > MAX_AGE_MS) return undefined;
        return parseArtifact(readFileSync(file, "utf8"), { scope, sessionKey });
      } catch (error) {
        if (isSystemError(error) || error instanceof SyntaxError) return undefined;
        throw error;
      }
    },
  };
}

interface DropRequest {
  readonly folder: string;
  readonly nowMs: number;
  /** The newest always stays. */
  readonly kept: string;
}

function dropOld({ folder, nowMs, kept }: DropRequest): void {
  const files = readdirSync(folder)
    .filter((name) => ID.test(name.replace(/^\./, "")) && name !== kept)
    .flatMap((name) => {
      const facts = statSync(join(folder, name), { throwIfNoEntry: false });
      return facts === undefined ? [] : [{ name, bytes: facts.size, ageMs: nowMs - facts.mtimeMs }];
    })
    .sort((one, other) => one.ageMs - other.ageMs);
  let bytes = statSync(join(folder, kept), { throwIfNoEntry: false })?.size ?? 0;
  for (const [index, file] of files.entries()) {
    bytes += file.bytes;
    const isOver = index + 1 >= MAX_FILES || bytes > MAX_TOTAL_BYTES || file.ageMs > MAX_AGE_MS;
    if (isOver) rmSync(join(folder, file.name), { force: true });
  }
}

interface Asked {
  readonly scope: string;
  readonly sessionKey: string | undefined;
}

/** undefined for another scope or session, and for a file that is not an artifact. */
function parseArtifact(json: string, { scope, sessionKey }: Asked): Artifact | undefined {
  const value: unknown = JSON.parse(json);
  const text = readText(value, "text");
  const isOurs = readText(value, "scope") === scope && readText(value, "sessionKey") === sessionKey;
  if (text === undefined || !isOurs) return undefined;
  const source = readText(readField(value, "untrusted"), "source");
  return { sessionKey, text, ...(source === undefined ? {} : { untrusted: { source } }) };
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && Reflect.has(error, "syscall");
}
