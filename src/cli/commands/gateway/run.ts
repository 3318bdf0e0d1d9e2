// `clawtools gateway`: runs the gateway in the foreground, and starts it again in the same process when
// it asks for a restart.

import { stateDir } from "../../../config/index.js";
import { toPrintable } from "../../../lib/printable.js";
import type { Command, CommandCall } from "../../command.js";
import { readWhole } from "../../flags.js";
import { showMark } from "../../terminal/style.js";
import { MAX_PORT } from "./with-gateway.js";

/** Limit for tools that do not end; the process ends then. */
const MAX_CLOSE_MS = 5_000;

export const command: Command = {
  notes: [
    "Listens on 127.0.0.1:18789 for WebSocket and HTTP; MCP is at /mcp. Ctrl-C stops it.",
    "CLAWTOOLS_GATEWAY_TOKEN or `gateway.auth.token` sets the token; otherwise one is made at the first start and kept in the state folder.",
    "SIGUSR1 restarts it in place, same pid, when `commands.restart` is true.",
  ],
  flags: { "--port PORT": "Port to listen on (default `gateway.port`, else 18789); 0 takes any." },
  sample: "clawtools gateway --port 18789",
  async run(call) {
    try {
      return await call.untilStopped(async (signal) => await serve(call, signal));
    } finally {
      setTimeout(() => process.exit(), MAX_CLOSE_MS).unref();
    }
  },
};

async function serve(call: CommandCall, signal: AbortSignal): Promise<number> {
  const { createGateway } = await import("../../../gateway/index.js");
  const port = readWhole(call, "port", { max: MAX_PORT });
  for (;;) {
    const gateway = await createGateway({
      root: call.root,
      configPlace: call.place,
      port,
      stateDir: stateDir(call.place),
      token: call.place.env.CLAWTOOLS_GATEWAY_TOKEN,
      canRestart: true,
      onLog: ({ level, message }) => printEntry(call, { level, message }),
    });
    const stop = () => void gateway.close("stopped");
    // Without the owner's permission a signal of another program changes nothing.
    const restart = () => {
      const isAllowed = gateway.services.config.current().commands?.restart === true;
      if (isAllowed) gateway.restart("SIGUSR1");
      else call.output.warn("warning: SIGUSR1 is ignored: `commands.restart` is not true.");
    };
    signal.addEventListener("abort", stop, { once: true });
    process.on("SIGUSR1", restart);
    if (signal.aborted) stop();
    call.output.print(`Gateway: ${gateway.url} (pid ${process.pid})`);
    call.output.print(`Token:   ${gateway.auth.mode === "none" ? "none" : gateway.auth.from}`);
    const end = await gateway.closed;
    process.off("SIGUSR1", restart);
    signal.removeEventListener("abort", stop);
    if (!end.restart || signal.aborted) return 0;
    call.output.print(`Restarting: ${toPrintable(end.reason)}`);
  }
}

function printEntry(
  { output }: CommandCall,
  { level, message }: { readonly level: string; readonly message: string },
): void {
  const line = toPrintable(message, 4_000);
  if (level === "error" || level === "warn") {
    const mark = level === "error" ? "error" : "warning";
    output.print(`${showMark(mark, output.style)} ${line}`);
  } else output.print(line);
}
