// Who is writing the index, as a text in it: so that another process can say whom it waits for, and
// so that an end without order is noticed.

import { readFileSync } from "node:fs";
import {
  isProcessGone,
  type ProcessWorld,
  readOwnProcess,
} from "../../../lib/process/process-life.js";

const MARK_FORM = /^([1-9]\d{0,9})-([0-9a-z]{1,20})$/;

export function ownMark(): string {
  const { pid, start } = readOwnProcess(createWorld());
  return `${pid}-${start}`;
}

/** The pid of a writer that lives and is another process. */
export function otherWriter(mark: string | undefined): number | undefined {
  const [, pidText, start] = MARK_FORM.exec(mark ?? "") ?? [];
  if (pidText === undefined || start === undefined || mark === ownMark()) return undefined;
  const pid = Number(pidText);
  return isProcessGone({ pid, start }, createWorld()) ? undefined : pid;
}

function createWorld(): ProcessWorld {
  return {
    pid: process.pid,
    startedMs: performance.timeOrigin,
    readText: (path) => readFileSync(path, "utf8"),
    probe: (pid) => void process.kill(pid, 0),
  };
}
