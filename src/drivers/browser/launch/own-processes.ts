// All processes of one browser, known by the folder for temporary files that only they were given:
// also those that a browser which is gone, or never came up, has left. Linux alone tells them.

import { readdirSync, readFileSync } from "node:fs";
import {
  isAlive,
  killGroup,
  killProcess,
  type MarkedProcess,
  markProcess,
} from "./process-world.js";

const PID_FORM = /^\d{1,10}$/;
const MAX_ROUNDS = 20;
const PAUSE_MS = 25;

/** Ends those that were started with this `TMPDIR`, and what they start meanwhile. Never rejects. */
export async function endOwnProcesses(temporary: string): Promise<void> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const left = listOwnProcesses(temporary);
    if (left.length === 0) return;
    for (const one of left) {
      // Renderers hide their environment from other users' processes; their group tells them.
      killGroup(one);
      killProcess(one);
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

function listOwnProcesses(temporary: string): MarkedProcess[] {
  return readPids().flatMap((pid) => {
    if (pid === process.pid || !wasGiven(pid, temporary)) return [];
    const marked = markProcess(pid);
    return isAlive(marked) ? [marked] : [];
  });
}

function readPids(): number[] {
  try {
    return readdirSync("/proc").flatMap((name) => (PID_FORM.test(name) ? [Number(name)] : []));
  } catch {
    // Another system: nothing is known.
    return [];
  }
}

function wasGiven(pid: number, temporary: string): boolean {
  try {
    const variables = readFileSync(`/proc/${pid}/environ`, "latin1").split("\0");
    return variables.includes(`TMPDIR=${Buffer.from(temporary).toString("latin1")}`);
  } catch {
    // Gone meanwhile, or another user's.
    return false;
  }
}
