// The files of the audit in a state folder.

export const AUDIT_FILE = "audit.jsonl";
export const HEAD_FILE = "audit.head.json";
export const KEY_FILE = "audit.key";
export const LOCK_FOLDER = "audit.lock";

/** What each is when it is there. */
export const AUDIT_NAMES = {
  [AUDIT_FILE]: "file",
  [HEAD_FILE]: "file",
  [KEY_FILE]: "file",
  [LOCK_FOLDER]: "folder",
} as const;

const NUMBER_DIGITS = 6;
const ARCHIVE_FORM = /^audit\.(\d{6,12})\.jsonl$/;

/** What a full file is called from then on. */
export function archiveName(file: number): string {
  return `audit.${String(file).padStart(NUMBER_DIGITS, "0")}.jsonl`;
}

/** The numbers of the full files among these names, oldest first. */
export function archiveNumbers(names: readonly string[]): number[] {
  return names
    .flatMap((name) => ARCHIVE_FORM.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((one, other) => one - other);
}
