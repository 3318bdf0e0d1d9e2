// Long texts as files of a folder, for programs that end before the next call asks for them. Bounded
// in number, size and age; the oldest go first.

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
import type { Artifact, ArtifactStore, Clock, RandomSource } from "../../core/index.js";
import { readField, readText } from "../../lib/read-field.js";

const MAX_FILES = 50;
const MAX_TOTAL_BYTES = 64 * 1024 * 1024;
const MAX_ARTIFACT_CHARS = 16 * 1024 * 1024;
const MAX_AGE_MS = 24 * 60 * 60 * 1_000;
const ID_BYTES = 12;
const ID = /^[0-9a-f]{24}$/;
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

export interface FileArtifactsOptions {
  /** Made by the first text that is put there. */
  readonly folder: string;
  /** Only those put with the same words are given back, next to the session. */
  readonly scope: string;
  readonly clock: Pick<Clock, "now">;
  readonly random: RandomSource;
}

/** Where nothing can be written a text is not kept, as one that is too long is not. */
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
  /** The newest, which stays whatever its size. */
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

/** undefined for a text of someone else, and for a file that is not an artifact. */
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
