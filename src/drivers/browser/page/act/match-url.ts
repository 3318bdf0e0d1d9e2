// Addresses against what a caller waits for: a glob for the whole address, or a part of it.

const GLOB = /[*]/;
const SPECIAL = /[\\^$.|?+()[\]{}]/g;

/** `**` is anything, `*` anything but a slash. Without a star: the whole address, or a part of it. */
export function matchesUrl(url: string, pattern: string): boolean {
  if (!GLOB.test(pattern)) return url === pattern || url.includes(pattern);
  const source = pattern
    .replace(SPECIAL, "\\$&")
    .replace(/\*\*\/?|\*/g, (stars) => (stars.startsWith("**") ? ".*" : "[^/]*"));
  return new RegExp(`^${source}$`, "s").test(url);
}
