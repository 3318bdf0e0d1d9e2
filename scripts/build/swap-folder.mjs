// Puts a finished folder in the place of an old one by rename, so that nobody reads half of it.
import { existsSync, renameSync, rmSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

const MAX_TRIES = 20;
const RETRY_MS = 50;
const RIVAL_CODES = ["ENOENT", "ENOTEMPTY", "EEXIST", "EPERM"];

/** Another build may swap at the same moment: then the last one wins. */
export async function swapFolder({ draft, place, retired }) {
  for (let tries = 1; ; tries += 1) {
    try {
      if (existsSync(place)) renameSync(place, retired);
      renameSync(draft, place);
      rmSync(retired, { recursive: true, force: true });
      return;
    } catch (error) {
      if (tries === MAX_TRIES || !RIVAL_CODES.includes(error.code)) throw error;
      rmSync(retired, { recursive: true, force: true });
      await delay(RETRY_MS);
    }
  }
}
