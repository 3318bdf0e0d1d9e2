// The limits of a sandbox: in words, and as shell commands that set them from inside.

import { readFileSync } from "node:fs";
import { totalmem } from "node:os";

const MEBIBYTE = 1_024 * 1_024;
const KIBIBYTE = 1_024;
/** dash counts in these. */
const BLOCK = 512;
const NO_LIMITS_EXIT_CODE = 96;
export const MAX_PROCESSES = 512;
export const MAX_FILE_MEBIBYTES = 4_096;
export const MAX_DATA_MEBIBYTES = 4_096;
export const MAX_CPU_SECONDS = 3_600;
export const MAX_TEMPORARY_MEBIBYTES = 1_024;
export const MAX_HOME_MEBIBYTES = 1_024;
export const MAX_SHARED_MEMORY_MEBIBYTES = 256;
/** For all commands of one program together. */
export const MAX_ALL_PROCESSES = 2_048;
export const MAX_ALL_MEBIBYTES = Math.floor((totalmem() * 0.75) / MEBIBYTE);

export interface TotalLimits {
  readonly pids: boolean;
  readonly memory: boolean;
}

interface LimitsRequest {
  readonly asRoot: boolean;
  readonly totals: TotalLimits;
}

/** No process limit applies to root. */
export function sandboxLimits({ asRoot, totals }: LimitsRequest) {
  const processes = asRoot
    ? ["processes: not enforced (runs as root)"]
    : [`processes and threads ${MAX_PROCESSES} (total of one command)`];
  return {
    names: [
      ...(asRoot && totals.pids ? [] : processes),
      ...(totals.pids
        ? [`processes and threads ${MAX_ALL_PROCESSES} (total of all commands)`]
        : []),
      `memory ${MAX_DATA_MEBIBYTES} MiB (per process)`,
      totals.memory
        ? `memory ${MAX_ALL_MEBIBYTES} MiB (total of all commands, /dev/shm, /tmp and home included)`
        : "memory in total: not enforced, and /dev/shm, /tmp and home are not counted",
      `file size ${MAX_FILE_MEBIBYTES} MiB (per file)`,
      "disk in total: not enforced in the workspace",
      `processor time ${MAX_CPU_SECONDS} s (per process)`,
      `/tmp ${MAX_TEMPORARY_MEBIBYTES} MiB (total)`,
      `home ${MAX_HOME_MEBIBYTES} MiB (total)`,
      `/dev/shm ${MAX_SHARED_MEMORY_MEBIBYTES} MiB (total)`,
    ],
    script: limitScript({ fileUnit: KIBIBYTE, processes: asRoot ? "" : "-u" }),
    smallScript: limitScript({ fileUnit: BLOCK, processes: asRoot ? "" : "-p" }),
  };
}

export function toBytesText(mebibytes: number): string {
  return String(mebibytes * MEBIBYTE);
}

interface ShellWords {
  readonly fileUnit: number;
  readonly processes: string;
}

/** A shell that cannot set them exits. */
function limitScript({ fileUnit, processes }: ShellWords): string {
  const own = readFileSync("/proc/self/limits", "utf8");
  // A lower limit of the caller stays.
  const lower = (name: string, value: number) => {
    const soft = new RegExp(`^Max ${name} +(\\d+)`, "m").exec(own)?.[1];
    return Math.min(value, Number(soft ?? value));
  };
  const file = lower("file size", MAX_FILE_MEBIBYTES * MEBIBYTE);
  const data = lower("data size", MAX_DATA_MEBIBYTES * MEBIBYTE);
  return [
    "ulimit -c 0",
    `ulimit -f ${Math.floor(file / fileUnit)}`,
    `ulimit -d ${Math.floor(data / KIBIBYTE)}`,
    `ulimit -t ${lower("cpu time", MAX_CPU_SECONDS)}`,
    ...(processes === "" ? [] : [`ulimit ${processes} ${lower("processes", MAX_PROCESSES)}`]),
  ]
    .join(" && ")
    .concat(` || exit ${NO_LIMITS_EXIT_CODE}`);
}
