// Folders for the temporary files of a browser, one for each run. Their names say who made them, so
// that the next start removes what a killed process left.

import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endOwnProcesses } from "./own-processes.js";
import { isAlive, markOwnProcess } from "./process-world.js";

/** Short: the browser makes a socket in it, whose path may have about a hundred characters. */
const PREFIX = "clawtools-web-";
const NAME_FORM = /^clawtools-web-(\d{1,10})-([0-9a-z]{1,20})-[A-Za-z0-9]{6}$/;
const TEMPORARY_NAME = "t";
const REMOVE_TRIES = 5;
const REMOVE_PAUSE_MS = 50;

export interface Scratch {
  /** Absolute; holds the two others. */
  readonly folder: string;
  /** TMPDIR of the browser. */
  readonly temporary: string;
  /** Of the driver library: downloads before they are saved. */
  readonly artifacts: string;
}

export async function makeScratch(): Promise<Scratch> {
  const { pid, start = "0" } = markOwnProcess();
  const folder = await mkdtemp(join(tmpdir(), `${PREFIX}${pid}-${start}-`));
  const [temporary, artifacts] = [join(folder, TEMPORARY_NAME), join(folder, "a")];
  await Promise.all([mkdir(temporary), mkdir(artifacts)]);
  return { folder, temporary, artifacts };
}

export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, {
    recursive: true,
    force: true,
    maxRetries: REMOVE_TRIES,
    retryDelay: REMOVE_PAUSE_MS,
  });
}

/** What processes that are gone have left, browsers too. What cannot be removed is another user's. */
export async function sweepScratch(): Promise<void> {
  const names = await readdir(tmpdir()).catch((): string[] => []);
  const left = names.filter((name) => {
    const [, pid, start] = NAME_FORM.exec(name) ?? [];
    return pid !== undefined && !isAlive({ pid: Number(pid), start });
  });
  for (const name of left) {
    const folder = join(tmpdir(), name);
    await endOwnProcesses(join(folder, TEMPORARY_NAME));
    await removeFolder(folder).catch(() => undefined);
  }
}
