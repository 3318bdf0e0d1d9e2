// Holds back what comes before a token: the noise of a start, which is no output of the command.

/** More than any start says; a token that has not come by then is searched for in the end only. */
const MAX_HELD_BYTES = 64 * 1024;

export interface Curtain {
  push(bytes: Uint8Array): void;
  /** Fulfilled when the token has come. */
  readonly raised: Promise<void>;
}

export function createCurtain(token: string, show: (bytes: Uint8Array) => void): Curtain {
  const wanted = Buffer.from(token);
  let held = Buffer.alloc(0);
  let isRaised = false;
  let raise: () => void = () => undefined;
  const raised = new Promise<void>((resolve) => {
    raise = resolve;
  });

  return {
    raised,
    push(bytes) {
      if (isRaised) return show(bytes);
      held = Buffer.concat([held, bytes]);
      const place = held.indexOf(wanted);
      if (place === -1) {
        held = held.subarray(Math.max(0, held.length - MAX_HELD_BYTES));
        return;
      }
      isRaised = true;
      raise();
      const rest = held.subarray(place + wanted.length);
      if (rest.length > 0) show(rest);
    },
  };
}
