// Commands whose children do all they can to outlive them, and who of them is still there.

import { readdirSync, readFileSync } from "node:fs";

/** The ways by which children leave: each is one process that sleeps for `token` seconds. */
export const WAYS_OUT = {
  ignoring: (token: string) => `(trap '' TERM HUP; sleep ${token}) &`,
  session: (token: string) => `setsid sleep ${token} &`,
  doubleFork: (token: string) => `(setsid sleep ${token} &)`,
  emptied: (token: string) => `env -i setsid /bin/sleep ${token} &`,
  nohup: (token: string) => `nohup sleep ${token} > /dev/null 2>&1 &`,
  pipeHeld: (token: string) => `(exec 2>&1; sleep ${token}) &`,
} as const;

export function leavingCommand(token: string): string {
  return Object.values(WAYS_OUT)
    .map((way) => way(token))
    .join("\n");
}

/** A length of sleep that no other command has. */
export function createToken(number: number): string {
  return `86${process.pid}.${String(number).padStart(6, "0")}`;
}

/** Pids of processes, dead ones left out, that have the token among their words. */
export function findSurvivors(token: string): number[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    const words = readWords(name);
    return words.includes(token) && words.some((word) => word.endsWith("sleep"))
      ? [Number(name)]
      : [];
  });
}

export function killAll(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // Gone meanwhile.
    }
  }
}

function readWords(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  } catch {
    // It has ended meanwhile.
    return [];
  }
}
