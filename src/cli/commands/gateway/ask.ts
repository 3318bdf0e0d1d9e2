// Commands that are one method of the gateway: `gateway call`, `gateway status`, `status`, `logs` and
// `devices`.

import { stateDir } from "../../../config/index.js";
import { ToolError } from "../../../core/index.js";
import { readFolderOwner } from "../../../drivers/store/index.js";
import { toPrintable } from "../../../lib/printable.js";
import { readField, readList, readNumber, readText } from "../../../lib/read-field.js";
import { type Command, type CommandCall, show } from "../../command.js";
import { JSON_FLAG, parseJson, readWhole } from "../../flags.js";
import { type Style, showMark } from "../../terminal/style.js";
import { formatColumns } from "../../terminal/wrap-text.js";
import { pause } from "../approvals/line-reader.js";
import { GATEWAY_FLAGS, withGateway } from "./with-gateway.js";

const FOLLOW_MS = 1_000;
const DEFAULT_LINES = 100;
const MAX_LINE_CHARS = 8_000;
const SECONDS_END = "2026-11-18T07:11:12".length;
const FLAGS = { ...GATEWAY_FLAGS, ...JSON_FLAG };

const gatewayCall: Command = {
  usage: "[METHOD]",
  notes: ["Without METHOD: lists the methods, with the scope that each needs."],
  helpTable: async () => ({ title: "Methods", rows: toRows(await listMethods()) }),
  flags: { "--params JSON": "Parameters of the method (default {}).", ...FLAGS },
  sample: "clawtools gateway call health",
  async run(call) {
    const [method] = call.words;
    if (method === undefined) {
      const methods = await listMethods();
      return show(call, methods, () => formatColumns({ rows: toRows(methods), width: call.width }));
    }
    const params = parseJson("--params", call.texts.params ?? "{}");
    return await withGateway(call, async (ask) => {
      call.output.print(JSON.stringify((await ask(method, params)) ?? null, null, 2));
      return 0;
    });
  },
};

const gatewayStatus: Command = {
  notes: ["The exit code is 8 when the gateway is not running."],
  flags: FLAGS,
  run: async (call) =>
    await withGateway(call, async (ask) => {
      const [health, status] = [await ask("health"), await ask("status")];
      return show(call, { health, status }, () => {
        const owner =
          call.texts.url === undefined ? readFolderOwner(stateDir(call.place)) : undefined;
        const rows: [string, string][] = [
          ["gateway", call.output.style.green("✓ running")],
          ["address", owner?.url === undefined ? "" : `${owner.url} (pid ${owner.pid})`],
          ["version", readText(status, "runtimeVersion") ?? readText(status, "version") ?? ""],
          ["uptime", `${Math.floor((readNumber(status, "uptimeMs") ?? 0) / 1_000)} s`],
          ["agents", readList(health, "agents").map(nameAgent).join(", ")],
          ["config", describeConfig(status, call.output.style)],
        ];
        return formatColumns({ rows: rows.filter(([, text]) => text !== ""), width: call.width });
      });
    }),
};

const gatewayRestart: Command = {
  notes: ["Restarts in place: same pid, connections are closed with code 1012."],
  flags: { "--reason TEXT": "For the log.", ...FLAGS },
  run: async (call) =>
    await withGateway(call, async (ask) => {
      const { reason } = call.texts;
      const params = { delayMs: 0, ...(reason === undefined ? {} : { reason }) };
      const answer = await ask("gateway.restart", params);
      return show(call, answer, () => ["The gateway is restarting."]);
    }),
};

export const logs: Command = {
  flags: {
    "--follow": "Keep printing new lines until Ctrl-C.",
    "--limit COUNT": `Number of lines (default ${DEFAULT_LINES}).`,
    ...FLAGS,
  },
  async run(call) {
    const count = readWhole(call, "limit", { min: 1 }) ?? DEFAULT_LINES;
    const folder = stateDir(call.place);
    if (call.texts.url === undefined && readFolderOwner(folder)?.url === undefined) {
      return await printKeptLog(call, { folder, limit: count });
    }
    return await withGateway(call, async (ask) => {
      let page = await ask("logs.tail", { limit: count });
      printLines(call, page);
      if (!call.switches.has("follow")) return 0;
      return await call.untilStopped(async (signal) => {
        while (!signal.aborted) {
          await pause(FOLLOW_MS, signal);
          if (signal.aborted) break;
          page = await ask("logs.tail", { cursor: readNumber(page, "cursor") });
          printLines(call, page);
        }
        return 0;
      });
    });
  },
};

/** `status` is also `clawtools status`. */
export const GATEWAY = {
  call: gatewayCall,
  status: gatewayStatus,
  restart: gatewayRestart,
} as const;

/** `devices`: each action is a method with the parameters of its operands. */
export const DEVICES = {
  list: device("", "device.pair.list", () => ({})),
  approve: device("REQUEST", "device.pair.approve", ([requestId]) => ({ requestId })),
  reject: device("REQUEST", "device.pair.reject", ([requestId]) => ({ requestId })),
  rotate: device("DEVICE [ROLE]", "device.token.rotate", readRole),
  revoke: device("DEVICE [ROLE]", "device.token.revoke", readRole),
} as const;

type Words = readonly string[];

function device(usage: string, method: string, read: (words: Words) => unknown): Command {
  return {
    ...(usage === "" ? {} : { usage }),
    flags: FLAGS,
    run: async (call) =>
      await withGateway(call, async (ask) => {
        const answer = await ask(method, read(call.words));
        return show(call, answer, () => describeDevices(call, answer));
      }),
  };
}

function readRole([deviceId, role = "operator"]: Words): unknown {
  return { deviceId, role };
}

function describeDevices({ width }: CommandCall, answer: unknown): string[] {
  const rows = (["pending", "paired"] as const).flatMap((kind) => {
    return readList(answer, kind).map((one): [string, string] => {
      const id = readText(one, "requestId") ?? readText(one, "deviceId") ?? "";
      const name = readText(one, "displayName") ?? readText(one, "platform") ?? "";
      const scopes = readList(one, "scopes").join(", ");
      const tokens = readList(one, "tokens");
      const isRevoked =
        tokens.length > 0 && tokens.every((token) => readField(token, "revokedAtMs"));
      const rights = isRevoked ? "revoked" : scopes === "" ? "no scopes" : scopes;
      return [toPrintable(id, 80), toPrintable(`${kind} ${name} (${rights})`, 400)];
    });
  });
  if (rows.length > 0) return formatColumns({ rows, width });
  return Array.isArray(readField(answer, "paired"))
    ? ["No devices are paired."]
    : JSON.stringify(answer, null, 2).split("\n");
}

/** Of a gateway that is not running. */
async function printKeptLog(
  call: CommandCall,
  { folder, limit }: { readonly folder: string; readonly limit: number },
): Promise<number> {
  const { gatewayLogPath, MAX_LOG_BYTES, tailLog } = await import("../../../gateway/index.js");
  const path = gatewayLogPath(folder);
  const page = await tailLog(path, { limit, maxBytes: MAX_LOG_BYTES });
  const shown = toPrintable(path, 4_096);
  if (page.size === 0) {
    throw new ToolError("unavailable", `The gateway is not running, and ${shown} is empty.`, {
      reason: "gateway_not_running",
    });
  }
  printLines(call, page);
  call.output.warn(`note: The gateway is not running; this is the end of ${shown}.`);
  return 0;
}

function printLines({ output, switches }: CommandCall, page: unknown): void {
  for (const line of readList(page, "lines").map(String)) {
    const isPlain = !switches.has("json");
    output.print(
      (isPlain && formatLogLine(line, output.style)) || toPrintable(line, MAX_LINE_CHARS),
    );
  }
}

/** "2026-11-18 07:11:12  message {fields}"; undefined for a line that is not an entry of ours. */
function formatLogLine(line: string, style: Style): string | undefined {
  const entry: Record<string, unknown> = parseEntry(line);
  const { time, level, message, _meta, ...fields } = entry;
  if (typeof time !== "string" || typeof message !== "string") return undefined;
  const rest = Object.keys(fields).length === 0 ? "" : ` ${JSON.stringify(fields)}`;
  const mark = level === "error" ? "error" : level === "warn" ? "warning" : undefined;
  const marked = mark === undefined ? "" : `${showMark(mark, style)}  `;
  const when = time.slice(0, SECONDS_END).replace("T", " ");
  return `${toPrintable(when)}  ${marked}${toPrintable(message + rest, MAX_LINE_CHARS)}`;
}

function parseEntry(line: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(line));
  } catch {
    return {};
  }
}

async function listMethods() {
  const { METHODS } = await import("../../../gateway/index.js");
  return METHODS.map(({ name, scope, help }) => ({ name, scope, help }));
}

function toRows(methods: Awaited<ReturnType<typeof listMethods>>): [string, string][] {
  return methods.map(({ name, scope, help }) => [name, `${help} (${scope})`]);
}

function describeConfig(status: unknown, style: Style): string {
  const problem = readText(status, "configProblem");
  return problem === undefined
    ? ""
    : `${showMark("warning", style)} ${toPrintable(problem, 4_000)}`;
}

function nameAgent(agent: unknown): string {
  return readText(agent, "agentId") ?? "";
}
