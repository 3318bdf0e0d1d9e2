// Shows which steps are at work: on a terminal in one line that is written over, elsewhere in a
// plain line when a step begins. What is finished stays above it.
const TICK_MS = 1_000;
const ERASE_LINE = "\r\u001b[2K";

/** `close` must be called: it ends the ticking and clears the line. */
export function createProgress(stream) {
  const isTerminal = stream.isTTY === true;
  const running = new Map();
  const erase = () => isTerminal && stream.write(ERASE_LINE);
  const draw = () => {
    if (isTerminal && running.size > 0) stream.write(`${ERASE_LINE}${describe(running)}`);
  };
  const ticker = isTerminal ? setInterval(draw, TICK_MS) : undefined;
  return {
    begin(name) {
      running.set(name, Date.now());
      if (isTerminal) draw();
      else stream.write(`${name} ...\n`);
    },
    end(name) {
      running.delete(name);
      draw();
    },
    /** Prints whole lines above the line of progress. */
    print(text) {
      erase();
      stream.write(`${text}\n`);
      draw();
    },
    close() {
      clearInterval(ticker);
      erase();
    },
  };
}

function describe(running) {
  const nowMs = Date.now();
  const parts = [...running].map(
    ([name, sinceMs]) => `${name} ... ${Math.round((nowMs - sinceMs) / 1_000)} s`,
  );
  return parts.join("   ");
}
