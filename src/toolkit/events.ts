// The events of one toolkit. A listener that throws harms no one and is not heard of again.

import { type Diagnostic, ToolInputError, type ToolkitEvents } from "../core/index.js";
import { nearestName } from "../lib/nearest-name.js";

type Listener<Event extends keyof ToolkitEvents> = (value: ToolkitEvents[Event]) => void;

export interface EventSource {
  /** What was noticed before anybody listened; a new listener is reported it first. */
  readonly diagnostics: () => readonly Diagnostic[];
}

export interface Events {
  emit<Event extends keyof ToolkitEvents>(event: Event, value: ToolkitEvents[Event]): void;
  on<Event extends keyof ToolkitEvents>(event: Event, listener: Listener<Event>): () => void;
  clear(): void;
}

export function createEvents({ diagnostics }: EventSource): Events {
  const listeners: { [Event in keyof ToolkitEvents]: Set<Listener<Event>> } = {
    call: new Set(),
    diagnostic: new Set(),
    notice: new Set(),
    tools: new Set(),
  };
  const earlier: { [Event in keyof ToolkitEvents]?: () => readonly ToolkitEvents[Event][] } = {
    diagnostic: diagnostics,
  };
  return {
    emit(event, value) {
      const heard = listeners[event];
      // A copy: who comes while others are reported hears from the next time on.
      for (const listener of [...heard]) tell(heard, { listener, value });
    },
    on(event, listener) {
      assertListener({ event, listener, known: Object.keys(listeners) });
      const heard = listeners[event];
      const values = earlier[event]?.() ?? [];
      heard.add(listener);
      // Later than this call, so that the listener can already be taken off again.
      queueMicrotask(() => {
        for (const value of values) if (heard.has(listener)) tell(heard, { listener, value });
      });
      return () => {
        heard.delete(listener);
      };
    },
    clear() {
      for (const heard of Object.values(listeners)) heard.clear();
    },
  };
}

/** Watching a call must never change it: a listener that fails is taken off instead. */
function tell<Value>(
  heard: Set<(value: Value) => void>,
  { listener, value }: { readonly listener: (value: Value) => void; readonly value: Value },
): void {
  const takeOff = () => heard.delete(listener);
  try {
    // Typed as void, but nothing keeps a caller from passing an async function.
    const answer: unknown = listener(value);
    if (answer instanceof Promise) answer.catch(takeOff);
  } catch {
    takeOff();
  }
}

function assertListener(given: {
  readonly event: string;
  readonly listener: unknown;
  readonly known: readonly string[];
}): void {
  const { event, listener, known } = given;
  if (!known.includes(event)) {
    const nearest = nearestName(event, known);
    const hint = nearest ? `; did you mean "${nearest}"?` : `; there are ${known.join(", ")}.`;
    throw new ToolInputError(`A toolkit has no event "${event}"${hint}`, {
      reason: "options_invalid",
    });
  }
  if (typeof listener === "function") return;
  throw new ToolInputError("A toolkit's on() takes a function to call.", {
    reason: "options_invalid",
  });
}
