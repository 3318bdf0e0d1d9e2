// Notices when whoever started this process has died. Its end of stdin may live on in another child.

const LOOK_MS = 500;

/** `onDeath` is called once; the returned function ends the watching. */
export function watchParent(onDeath: () => void): () => void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    onDeath();
  }, LOOK_MS);
  timer.unref();
  return () => clearInterval(timer);
}
