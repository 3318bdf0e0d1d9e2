// A wait that ends early when its signal fires, and leaves no listener behind.

export function pause(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, delayMs);
    signal.addEventListener("abort", end);
    if (signal.aborted) end();
  });
}
