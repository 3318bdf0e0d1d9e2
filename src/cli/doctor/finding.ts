// What the doctor finds: what it is, why it matters, and what fixes it.

export const LEVELS = ["ok", "note", "warning", "broken"] as const;

export interface Finding {
  readonly area: "node" | "programs" | "commands" | "state" | "config" | "policy" | "grants";
  /** `broken`: something does not work. `note`: nothing to do, but good to know. */
  readonly level: (typeof LEVELS)[number];
  /** A sentence. */
  readonly what: string;
  /** Why it matters; a sentence. */
  readonly why?: string;
  /** The command, or the words, that fix it. */
  readonly mend?: string;
  /** Safe to do without asking; resolves to what was done, a sentence. */
  readonly fix?: () => Promise<string>;
}
