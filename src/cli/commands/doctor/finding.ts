// What the doctor finds: the problem, why it matters, and the fix.

export const LEVELS = ["ok", "note", "warning", "broken"] as const;

export interface Finding {
  readonly area: "node" | "programs" | "commands" | "state" | "config" | "policy" | "grants";
  /** `broken`: something does not work. `note`: nothing to do. */
  readonly level: (typeof LEVELS)[number];
  readonly what: string;
  readonly why?: string;
  readonly remedy?: string;
  /** Safe without asking; resolves to a sentence about what was done. */
  readonly fix?: () => Promise<string>;
}

type Facts = Omit<Finding, "area" | "level">;

/** One finding of the area as a list, because a check may find nothing. */
export function findingsOf(area: Finding["area"]) {
  const report =
    (level: Finding["level"]) =>
    (facts: Facts): Finding[] => [{ area, level, ...facts }];
  return {
    ok: report("ok"),
    note: report("note"),
    warning: report("warning"),
    broken: report("broken"),
  };
}
