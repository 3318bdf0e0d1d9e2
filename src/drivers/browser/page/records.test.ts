// Addresses in what a page says, as they are kept.

import { EventEmitter } from "node:events";
import { expect, it } from "vitest";
import { redactUrl } from "../../../core/index.js";
import { createSystemClock } from "../../clock.js";
import { createConsoleRecords } from "./records.js";

it.each([
  ["https://a.example/?token=SECRET failed", "https://a.example/?token=[redacted] failed"],
  [
    "WebSocket connection to 'wss://a.example/live?access_token=SECRET' failed",
    "WebSocket connection to 'wss://a.example/live?access_token=[redacted]' failed",
  ],
  ["see //a.example/x;jsessionid=SECRET", "see //a.example/x;jsessionid=[redacted]"],
  ["a // b", "a // b"],
])("%s is kept without its secrets", (said, kept) => {
  const page = new EventEmitter();
  // Of a page the records only hear.
  const handle = { page, clock: createSystemClock(), redactUrl } as never;
  const records = createConsoleRecords(handle);
  const location = { url: "", lineNumber: 0, columnNumber: 0 };
  page.emit("console", { type: () => "log", text: () => said, location: () => location });
  const [entry] = records.read({ limit: 1 }).entries;
  expect(entry?.text).toBe(kept);
  records.close();
});
