// Server-sent events: bytes in any pieces to whole events. Comments and unknown fields are skipped.

import { ToolError } from "../../core/index.js";

const MAX_EVENT_CHARS = 32 * 1024 * 1024;
const LINE_END = /\r\n|\n|\r/;

export interface SseEvent {
  readonly event: string | undefined;
  readonly data: string;
}

export function createSseReader() {
  const decoder = new TextDecoder();
  let rest = "";
  let event: string | undefined;
  let data: string[] = [];
  let dataChars = 0;

  const readLine = (line: string): SseEvent[] => {
    if (line === "") return finish();
    const colon = line.indexOf(":");
    if (colon === 0) return [];
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
    if (field === "event") event = value;
    if (field === "data") {
      data.push(value);
      dataChars += value.length;
    }
    return [];
  };
  const finish = (): SseEvent[] => {
    const found = data.length === 0 ? [] : [{ event, data: data.join("\n") }];
    event = undefined;
    data = [];
    dataChars = 0;
    return found;
  };
  const readText = (text: string): SseEvent[] => {
    // A line end may be cut in two: "\r" waits for what comes next.
    const isCut = text.endsWith("\r");
    const lines = (isCut ? text.slice(0, -1) : text).split(LINE_END);
    rest = `${lines.pop() ?? ""}${isCut ? "\r" : ""}`;
    const events = lines.flatMap(readLine);
    if (rest.length + dataChars > MAX_EVENT_CHARS) {
      throw new ToolError("limit", "One event of the answer is larger than 32 MiB.", {
        reason: "event_too_large",
      });
    }
    return events;
  };

  return {
    /** The events that these bytes complete. Throws a ToolError for an event that is too large. */
    push: (bytes: Uint8Array) => readText(rest + decoder.decode(bytes, { stream: true })),
    /** An event without the blank line behind it, at the end of the stream. */
    end(): SseEvent[] {
      const last = rest + decoder.decode();
      rest = "";
      return [...last.split(LINE_END).flatMap(readLine), ...finish()];
    },
  };
}
