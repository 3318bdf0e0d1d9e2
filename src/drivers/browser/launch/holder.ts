// Who holds the data of a profile: Chromium leaves a link whose text is the machine and the pid.

import { readlink } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { ToolError } from "../../../core/index.js";
import type { Profile } from "../profiles/list-profiles.js";
import { isAlive, markProcess } from "./process-world.js";

const LOCK_NAME = "SingletonLock";
const LOCK_FORM = /^(.+)-(\d{1,10})$/;

export interface Holder {
  readonly host: string;
  readonly pid: number;
  /** False also for one of another machine: it cannot be asked. */
  readonly isOfThisMachine: boolean;
  readonly isAlive: boolean;
}

/** undefined when the profile is free, or where Chromium makes no such link. */
export async function readHolder(userDataDir: string): Promise<Holder | undefined> {
  const text = await readlink(join(userDataDir, LOCK_NAME)).catch(() => undefined);
  const [, host, pid] = LOCK_FORM.exec(text ?? "") ?? [];
  if (host === undefined || pid === undefined) return undefined;
  const isOfThisMachine = host === hostname();
  return {
    host,
    pid: Number(pid),
    isOfThisMachine,
    isAlive: !isOfThisMachine || isRunning(Number(pid)),
  };
}

/** One that has ended, and whose end no one has asked for yet, holds nothing. */
function isRunning(pid: number): boolean {
  if (markProcess(pid).start !== undefined) return true;
  const canSeeStarts = markProcess(process.pid).start !== undefined;
  return !canSeeStarts && isAlive({ pid });
}

interface Held {
  readonly holder: Pick<Holder, "pid" | "host" | "isOfThisMachine"> | undefined;
  /** Why we do not simply attach; half a sentence. */
  readonly why: string;
}

export function profileHeld(
  { name: profile, userDataDir }: Pick<Profile, "name" | "userDataDir">,
  { holder, why }: Held,
): ToolError {
  const advice =
    holder === undefined || holder.isOfThisMachine
      ? "end it, or use another profile"
      : `if nothing runs there any more, delete "${join(userDataDir, LOCK_NAME)}"; else use another profile`;
  return new ToolError(
    "conflict",
    `Browser profile "${profile}" is held by ${describe(holder)} and ${why}; ${advice}.`,
    {
      reason: "browser_profile_held",
      details: { profile, ...(holder ? { pid: holder.pid, host: holder.host } : {}) },
    },
  );
}

function describe(holder: Held["holder"]): string {
  if (holder === undefined) return "another process";
  const { pid, host, isOfThisMachine } = holder;
  return isOfThisMachine ? `process ${pid}` : `process ${pid} of the machine "${host}"`;
}
