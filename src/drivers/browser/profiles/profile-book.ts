// The file with created profiles and last ports, replaced as a whole.

import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type RandomSource, ToolError } from "../../../core/index.js";
import { isMissing } from "../../../lib/errno.js";
import { makeFolder } from "../../../lib/make-folder.js";
import { replaceFile } from "../launch/holder.js";
import { FIRST_CDP_PORT, LAST_CDP_PORT } from "../settings.js";

const FILE_NAME = "profiles.json";
const FOLDER_MODE = 0o700;

export interface CreatedProfile {
  readonly color?: string | undefined;
  readonly cdpUrl?: string | undefined;
}

export interface BookContent {
  readonly created: Readonly<Record<string, CreatedProfile>>;
  readonly ports: Readonly<Record<string, number>>;
}

export type ProfileBook = ReturnType<typeof createProfileBook>;

export interface BookOptions {
  /** Absolute. */
  readonly folder: string;
  readonly random: RandomSource;
}

export function createProfileBook({ folder, random }: BookOptions) {
  const path = join(folder, FILE_NAME);
  let last: Promise<unknown> = Promise.resolve();

  async function write(content: BookContent): Promise<void> {
    await makeFolder(dirname(path), FOLDER_MODE);
    const text = `${JSON.stringify({ version: 1, ...content }, undefined, 2)}\n`;
    await replaceFile(path, { text, random });
  }

  return {
    read: () => readBook(path),
    change(work: (content: BookContent) => BookContent) {
      const turn = last.then(async () => write(work(await readBook(path))));
      last = turn.catch(() => undefined);
      return turn;
    },
  };
}

async function readBook(path: string): Promise<BookContent> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (isMissing(error)) return { created: {}, ports: {} };
    throw error;
  }
  return parseBook(text, path);
}

function parseBook(text: string, path: string): BookContent {
  const content = readJson(text);
  const created = toRecord(content?.created);
  const ports = toRecord(content?.ports);
  if (content === undefined || created === undefined || ports === undefined) throw broken(path);
  return {
    created: Object.fromEntries(
      Object.entries(created).map(([name, value]) => [name, toCreated(toRecord(value) ?? {})]),
    ),
    ports: Object.fromEntries(Object.entries(ports).filter(isPort)),
  };
}

function toCreated({ color, cdpUrl }: Readonly<Record<string, unknown>>): CreatedProfile {
  return {
    ...(typeof color === "string" ? { color } : {}),
    ...(typeof cdpUrl === "string" ? { cdpUrl } : {}),
  };
}

function isPort(entry: [string, unknown]): entry is [string, number] {
  const [, port] = entry;
  return Number.isInteger(port) && Number(port) >= FIRST_CDP_PORT && Number(port) <= LAST_CDP_PORT;
}

function readJson(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return toRecord(JSON.parse(text));
  } catch {
    // The caller reports the file.
    return undefined;
  }
}

function toRecord(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  // A parse border: values stay unknown.
  return value as Readonly<Record<string, unknown>>;
}

function broken(path: string): ToolError {
  const message = `The list of browser profiles "${path}" cannot be read; fix it or delete it.`;
  return new ToolError("failed", message, { reason: "browser_profile_invalid" });
}
