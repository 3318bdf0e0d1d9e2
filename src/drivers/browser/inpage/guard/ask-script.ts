// Asks the script at the start of this document, which runs where the page does.

/** False also where that script is not. */
export function askScript(guardName: string | undefined, detail: number): boolean {
  if (!guardName) return false;
  return !dispatchEvent(new MouseEvent(guardName, { cancelable: true, detail }));
}
