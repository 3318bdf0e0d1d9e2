// The name that the system gives an error, such as ENOENT.

/** In upper case; "" for anything but an error of the system. */
export function errnoOf(error: unknown): string {
  const code: unknown = error instanceof Error ? Reflect.get(error, "code") : undefined;
  return typeof code === "string" && /^E[A-Z0-9]+$/.test(code) ? code : "";
}

/** Nothing is there: the name, or a folder on the way to it, does not exist. */
export function isMissing(error: unknown): boolean {
  const errno = errnoOf(error);
  return errno === "ENOENT" || errno === "ENOTDIR";
}
