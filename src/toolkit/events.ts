// The events of one toolkit. A listener that throws harms nobody and is not heard of again.

import type { ToolkitEvents } from "../core/index.js";

type Listener<Event extends keyof ToolkitEvents> = (value: ToolkitEvents[Event]) => void;

export interface Events {
  emit<Event extends keyof ToolkitEvents>(event: Event, value: ToolkitEvents[Event]): void;
  on<Event extends keyof ToolkitEvents>(event: Event, listener: Listener<Event>): () => void;
  clear(): void;
}

export function createEvents(): Events {
  const listeners: { [Event in keyof ToolkitEvents]: Set<Listener<Event>> } = {
    call: new Set(),
    diagnostic: new Set(),
    notice: new Set(),
  };
  return {
    emit(event, value) {
      const heard = listeners[event];
      for (const listener of heard) {
        // Watching a call must never change it; the listener is taken off instead.
        const takeOff = () => heard.delete(listener);
        try {
          // Typed as void, but nothing keeps a caller from passing an async function.
          const answer: unknown = listener(value);
          if (answer instanceof Promise) answer.catch(takeOff);
        } catch {
          takeOff();
        }
      }
    },
    on(event, listener) {
      listeners[event].add(listener);
      return () => {
        listeners[event].delete(listener);
      };
    },
    clear() {
      for (const heard of Object.values(listeners)) heard.clear();
    },
  };
}
