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
