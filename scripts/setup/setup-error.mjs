// A failure of the set-up that the person at the keyboard can mend; its message is all they need.
export class SetupError extends Error {}

const DEFAULT_ADVICE = "check that file or folder and run the command again";
const ADVICE = {
  EACCES: "use a folder in which you may write, or run the command as its owner",
  EPERM: "use a folder in which you may write, or run the command as its owner",
  EROFS: "this file system is read-only, use another",
  ENOSPC: "the disk is full, free some space and run the command again",
};

/** What the file system answered, in one sentence; any other error as it is. */
export function toSetupError(error) {
  const { code, syscall, path } = error;
  if (error instanceof SetupError || !code || !syscall || !path) return error;
  const advice = ADVICE[code] ?? DEFAULT_ADVICE;
  return new SetupError(`The set-up failed at ${path} (${syscall}, ${code}): ${advice}.`);
}
