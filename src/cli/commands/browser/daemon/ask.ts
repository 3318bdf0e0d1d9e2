// Sends a request to the daemon that keeps a browser open, if one runs.

import { connect, type Socket } from "node:net";
import { ToolError } from "../../../../core/index.js";
import { errnoOf } from "../../../../lib/errno.js";
import type { CommandCall } from "../../../command.js";
import {
  type DaemonAnswer,
  type DaemonRequest,
  parseAnswer,
  readLine,
  socketPath,
} from "./message.js";

const MAX_ANSWER_MS = 11 * 60_000;
const NOT_LISTENING: readonly string[] = ["ENOENT", "ECONNREFUSED", "ENOTSOCK", "EPIPE"];

export async function askDaemon(
  call: CommandCall,
  request: DaemonRequest,
): Promise<DaemonAnswer | undefined> {
  const socket = await open(socketPath(call));
  if (socket === undefined) return undefined;
  return await call.untilStopped(async (signal) => {
    const stop = () => socket.destroy();
    signal.addEventListener("abort", stop, { once: true });
    const timer = setTimeout(stop, MAX_ANSWER_MS);
    try {
      socket.write(`${JSON.stringify(request)}\n`);
      const line = await readLine(socket);
      const answer = line === undefined ? undefined : parseAnswer(line);
      if (answer === undefined) throw gone();
      return { ...answer, isFromDaemon: true };
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
      socket.destroy();
    }
  });
}

function open(path: string): Promise<Socket | undefined> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    socket.once("connect", () => resolve(socket));
    socket.once("error", (error) => {
      if (NOT_LISTENING.includes(errnoOf(error))) resolve(undefined);
      else reject(error);
    });
  });
}

function gone(): ToolError {
  const message =
    "The command that kept the browser open ended before it answered; open the page again.";
  return new ToolError("unavailable", message, { reason: "browser_not_open" });
}
