// A sample plugin that waits for something that does not come.

export function register() {
  return new Promise(() => undefined);
}
