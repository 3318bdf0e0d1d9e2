// One line of /proc/<pid>/stat.

const ENDED_STATES = ["Z", "X", "x"];
const START_FIELD = 19;

export interface ProcessEntry {
  readonly pid: number;
  readonly parentPid: number;
  readonly groupId: number;
  readonly sessionId: number;
  /** Ticks since the machine started; with the pid it identifies one process. */
  readonly startTicks: string;
  readonly hasEnded: boolean;
}

export function parseProcessStat(line: string): ProcessEntry {
  // The command's name is in parentheses and may hold any character.
  const fields = line.slice(line.lastIndexOf(")") + 2).split(" ");
  const [state = "", parentPid, groupId, sessionId] = fields;
  return {
    pid: Number.parseInt(line, 10),
    parentPid: Number(parentPid),
    groupId: Number(groupId),
    sessionId: Number(sessionId),
    startTicks: fields[START_FIELD] ?? "",
    hasEnded: ENDED_STATES.includes(state),
  };
}
