// The limits of what runs in a sandbox, each with its reach in words, and the shell words that set
// them from inside. A limit that cannot be set here is named as not enforced.

const MEBIBYTE = 1_024 * 1_024;
const KIBIBYTES_PER_MEBIBYTE = 1_024;
/** In which small shells count what is written. */
const BLOCKS_PER_MEBIBYTE = 2_048;

export const MAX_PROCESSES = 512;
export const MAX_FILE_MEBIBYTES = 4_096;
export const MAX_DATA_MEBIBYTES = 4_096;
export const MAX_CPU_SECONDS = 3_600;
export const MAX_TEMPORARY_MEBIBYTES = 1_024;
export const MAX_HOME_MEBIBYTES = 1_024;
export const MAX_SHARED_MEMORY_MEBIBYTES = 256;

export interface SandboxLimits {
  /** Each with its reach. */
  readonly names: readonly string[];
  /** For bash. */
  readonly script: string;
  /** For a small shell. */
  readonly smallScript: string;
}

/** Root is never counted against a limit of processes, whatever namespace it is in. */
export function sandboxLimits({ asRoot }: { readonly asRoot: boolean }): SandboxLimits {
  const processes = asRoot
    ? "processes: not enforced (runs as root)"
    : `processes and threads ${MAX_PROCESSES} (total of one command)`;
  return {
    names: [
      processes,
      `memory ${MAX_DATA_MEBIBYTES} MiB (per process)`,
      "memory in total: not enforced",
      `file size ${MAX_FILE_MEBIBYTES} MiB (per file)`,
      "disk in total: not enforced in the workspace",
      `processor time ${MAX_CPU_SECONDS} s (per process)`,
      `/tmp ${MAX_TEMPORARY_MEBIBYTES} MiB (total)`,
      `home ${MAX_HOME_MEBIBYTES} MiB (total)`,
      `/dev/shm ${MAX_SHARED_MEMORY_MEBIBYTES} MiB (total)`,
    ],
    script: limitScript({
      fileUnits: MAX_FILE_MEBIBYTES * KIBIBYTES_PER_MEBIBYTE,
      further: asRoot ? [] : [`ulimit -u ${MAX_PROCESSES}`],
    }),
    smallScript: limitScript({
      fileUnits: MAX_FILE_MEBIBYTES * BLOCKS_PER_MEBIBYTE,
      further: asRoot ? [] : [`ulimit -p ${MAX_PROCESSES}`],
    }),
  };
}

export function toBytesText(mebibytes: number): string {
  return String(mebibytes * MEBIBYTE);
}

interface LimitUnits {
  readonly fileUnits: number;
  readonly further: readonly string[];
}

/** A limit of the caller that is already lower stays: it cannot be raised, and need not be. */
function limitScript({ fileUnits, further }: LimitUnits): string {
  const words = [
    "ulimit -c 0",
    `ulimit -f ${fileUnits}`,
    `ulimit -d ${MAX_DATA_MEBIBYTES * KIBIBYTES_PER_MEBIBYTE}`,
    `ulimit -t ${MAX_CPU_SECONDS}`,
    ...further,
  ];
  return `{ ${words.join("; ")}; } 2>/dev/null`;
}
