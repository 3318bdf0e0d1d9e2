// The file with created profiles and last ports, replaced as a whole.

import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type RandomSource, ToolError } from "../../../core/index.js";
import { isMissing } from "../../../lib/errno.js";
import { makeFolder } from "../../../lib/make-folder.js";
import { readField, readText } from "../../../lib/read-field.js";
import { withoutUndefined } from "../../../lib/without-undefined.js";
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

/** `folder`: absolute. */
export function createProfileBook({ folder, random }: { folder: string; random: RandomSource }) {
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
  const content = readJson(text);
  const [created, ports] = [readField(content, "created"), readField(content, "ports")];
  if (!isRecord(created) || !isRecord(ports)) throw broken(path);
  const profiles = Object.entries(created).map(([name, value]) => {
    const facts = { color: readText(value, "color"), cdpUrl: readText(value, "cdpUrl") };
    return [name, withoutUndefined(facts)] as const;
  });
  return {
    created: Object.fromEntries(profiles),
    ports: Object.fromEntries(Object.entries(ports).filter(isPort)),
  };
}

function isPort(entry: [string, unknown]): entry is [string, number] {
  const [, port] = entry;
  return Number.isInteger(port) && Number(port) >= FIRST_CDP_PORT && Number(port) <= LAST_CDP_PORT;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The caller reports the file.
    return undefined;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function broken(path: string): ToolError {
  const message = `The list of browser profiles "${path}" cannot be read; fix it or delete it.`;
  return new ToolError("failed", message, { reason: "browser_profile_invalid" });
}
