// A port before its driver is loaded: the first use loads it, and what was never used has nothing to
// close.

import { ToolError } from "../core/index.js";

export interface LazyPort<Port> {
  /** Rejects as `open` does, and when it is closed. */
  load(): Promise<Port>;
  /** undefined while nothing was loaded. */
  loaded(): Port | undefined;
  /** Closes what was loaded, or is being loaded; nothing is loaded afterwards. */
  close(): Promise<void>;
}

/** `open` may throw a ToolError: a config that cannot be used, a folder that is missing. */
export function createLazyPort<Port extends { close(): Promise<void> }>(
  open: () => Promise<Port>,
): LazyPort<Port> {
  let opening: Promise<Port> | undefined;
  let opened: Port | undefined;
  let isClosed = false;

  return {
    async load() {
      if (isClosed) throw closed();
      opening ??= open();
      try {
        opened = await opening;
        return opened;
      } catch (error) {
        // What was missing may be there at the next call.
        opening = undefined;
        throw error;
      }
    },
    loaded: () => opened,
    async close() {
      isClosed = true;
      const port = await opening?.catch(() => undefined);
      await port?.close();
    },
  };
}

function closed(): ToolError {
  return new ToolError("unavailable", "The toolkit is closed; make a new one.", {
    reason: "toolkit_closed",
  });
}
