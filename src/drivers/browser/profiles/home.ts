// The folder of all profiles: in the state folder, or for as long as this lives where nothing is to
// outlive it.

import { join } from "node:path";
import { makeScratch, removeFolder } from "../launch/scratch.js";

const FOLDER = "browser";

export interface Home {
  /** Absolute. It need not be there yet. */
  folder(): Promise<string>;
  close(): Promise<void>;
}

export function createHome(stateDir: string | undefined): Home {
  if (stateDir !== undefined) {
    const folder = join(stateDir, FOLDER);
    return { folder: async () => folder, close: async () => undefined };
  }
  let made: Promise<string> | undefined;
  return {
    folder() {
      made ??= makeScratch().then(({ folder }) => join(folder, FOLDER));
      return made;
    },
    async close() {
      if (made !== undefined) await removeFolder(join(await made, ".."));
    },
  };
}
