// Messages between browser commands and the one that keeps a browser open: JSON lines over a socket.

import type { Socket } from "node:net";
import { join } from "node:path";
import { stateDir } from "../../../../config/index.js";
import type { ContentBlock } from "../../../../core/index.js";
import { readField } from "../../../../lib/read-field.js";
import type { CommandCall } from "../../../command.js";

const SOCKET_NAME = "browser.sock";
const MAX_LINE_CHARS = 32 * 1024 * 1024;
const PIPE_PREFIX = "\\\\.\\pipe\\clawtools-";

export type DaemonRequest =
  | { readonly call: Readonly<Record<string, unknown>> }
  | { readonly stop: true };

export interface DaemonAnswer {
  readonly content: readonly ContentBlock[];
  readonly details: unknown;
  readonly isError: boolean;
  readonly isFromDaemon?: true;
}

export function socketPath({ place }: Pick<CommandCall, "place">): string {
  const folder = stateDir(place);
  if (process.platform !== "win32") return join(folder, SOCKET_NAME);
  return `${PIPE_PREFIX}${Buffer.from(folder).toString("hex")}`;
}

export function readLine(socket: Socket): Promise<string | undefined> {
  return new Promise((resolve) => {
    let text = "";
    const end = (line: string | undefined) => {
      socket.off("data", add);
      resolve(line);
    };
    const add = (part: string) => {
      text += part;
      const at = text.indexOf("\n");
      if (at >= 0) end(text.slice(0, at));
      else if (text.length > MAX_LINE_CHARS) end(undefined);
    };
    socket.setEncoding("utf8").on("data", add);
    socket.once("close", () => end(undefined));
    socket.once("error", () => end(undefined));
  });
}

export function parseRequest(line: string): DaemonRequest | undefined {
  const value = parse(line);
  if (readField(value, "stop") === true) return { stop: true };
  const call = readField(value, "call");
  return typeof call === "object" && call !== null ? { call: { ...call } } : undefined;
}

export function parseAnswer(line: string): DaemonAnswer | undefined {
  const value = parse(line);
  // A parse border: only a command of the same user can answer on this socket.
  return Array.isArray(readField(value, "content")) ? (value as DaemonAnswer) : undefined;
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
