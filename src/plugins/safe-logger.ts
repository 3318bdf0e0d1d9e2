// The caller's logger, made harmless: what it throws must not cost a plugin or the rows of others.

import type { PluginLogger } from "./host.js";

type Level = keyof PluginLogger;

/** A method that is missing says nothing. All that is logged is in the rows too. */
export function toSafeLogger(logger: unknown): Required<PluginLogger> {
  const tell = async (name: Level, message: string): Promise<void> => {
    const log: unknown = Object(logger)[name];
    if (typeof log === "function") await log.call(logger, message);
  };
  const level = (name: Level) => (message: string) => {
    // The logger itself failed, so the error cannot be logged.
    tell(name, message).catch(() => undefined);
  };
  return { info: level("info"), warn: level("warn"), error: level("error") };
}
