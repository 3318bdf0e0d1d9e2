// Programs of the system that tools use: found or not, and what each is for. That of the browser has a
// search of its own.

import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { delimiter, join } from "node:path";
import type { Finding } from "./finding.js";

const PURPOSE = "for `exec`: the sandbox of commands";

export async function checkPrograms(path: string | undefined): Promise<Finding[]> {
  const folders = (path ?? "").split(delimiter).filter((folder) => folder !== "");
  const found = await find("bwrap", folders);
  const area = "programs";
  if (found !== undefined) {
    return [{ area, level: "ok", what: `bubblewrap is ${found}; ${PURPOSE}.` }];
  }
  return [
    {
      area,
      level: "warning",
      what: "bubblewrap is not installed.",
      why: `It is ${PURPOSE}.`,
      mend: "sudo apt-get install bubblewrap",
    },
  ];
}

async function find(name: string, folders: readonly string[]): Promise<string | undefined> {
  for (const folder of folders) {
    const path = join(folder, name);
    const canRun = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (canRun) return path;
  }
  return undefined;
}
