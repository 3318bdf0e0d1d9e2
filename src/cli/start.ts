// `npm start`: runs the gateway with MCP for the working folder.

import { fileURLToPath } from "node:url";
import { stateDir } from "../config/index.js";
import { isToolError, type Toolkit, type ToolMeta } from "../core/index.js";
import type { Gateway } from "../gateway/index.js";
import { toPrintable } from "../lib/printable.js";
import { createClawtools } from "../toolkit/index.js";
import { webSearch } from "../tools/web_search/index.js";
import type { CommandCall } from "./command.js";
import { readSearchSetup } from "./commands/configure/sections.js";
import { CLIENTS, type HttpServer, overHttp } from "./commands/mcp/clients.js";
import { readOwnCommand } from "./own-command.js";
import { toCall } from "./surroundings.js";
import { formatColumns, wrapText } from "./terminal/wrap-text.js";
import { readUsableConfig } from "./usable-config.js";

export { watchParent } from "./commands/mcp/attend-server.js";

const ANY_PORT = 0;
const MIN_WIDTH = 24;

export interface StartOptions {
  readonly root: string;
  readonly width: number;
  readonly version: string;
}

export async function startServer(options: StartOptions) {
  const call = toCall([], { texts: { root: options.root }, switches: new Set() });
  const { config } = await readUsableConfig(call);
  const { gateway, said } = await openGateway(call);
  try {
    const toolkit = gateway.services.agents.toolkit();
    await toolkit.ready;
    const server = {
      gatewayUrl: gateway.url,
      url: `${gateway.httpUrl}/mcp`,
      token: gateway.auth.secret,
    };
    const search = await readSearchSetup(config);
    return {
      lines: [
        ...describeTools(toolkit, { ...options, search }),
        ...said,
        ...describeServer({ ...server, command: ownCommand(call.place.env) }, options.width),
        ...wrapText(describeToken(gateway), Math.max(options.width, MIN_WIDTH)),
        "",
        "Stop it with ^C.",
      ],
      close: () => gateway.close("stopped"),
    };
  } catch (error) {
    await gateway.close();
    throw error;
  }
}

/** Uses another port when the preferred one is taken. */
async function openGateway({ place, root, output }: CommandCall) {
  const { createGateway } = await import("../gateway/index.js");
  const open = (port?: number) =>
    createGateway({
      ...{ root, port, configPlace: place, stateDir: stateDir(place) },
      token: place.env.CLAWTOOLS_GATEWAY_TOKEN ?? place.env.CLAWTOOLS_MCP_TOKEN,
      onLog: ({ level, message }) => {
        if (level === "warn" || level === "error") output.warn(toPrintable(message));
      },
    });
  try {
    return { gateway: await open(), said: [] };
  } catch (error) {
    if (!isToolError(error) || error.reason !== "port_unusable") throw error;
    const [, port] = /:(\d+): another program uses it/.exec(error.message) ?? [];
    if (port === undefined) throw error;
    const gateway = await open(ANY_PORT);
    return { gateway, said: [`Port ${port} is in use, so another one was taken.`, ""] };
  }
}

function ownCommand(env: CommandCall["place"]["env"]): string {
  return readOwnCommand(fileURLToPath(new URL("./bin.js", import.meta.url)), env);
}

interface ToolTableOptions extends StartOptions {
  readonly search: Awaited<ReturnType<typeof readSearchSetup>>;
}

function describeTools(toolkit: Toolkit, options: ToolTableOptions): string[] {
  const { root, width: columns, version, search } = options;
  const width = Math.max(columns, MIN_WIDTH);
  const states = new Map(toolkit.explain().map((row) => [row.id, row]));
  const tools = createClawtools({ catalog: "all" }).tools.list();
  const isReady = ({ id }: ToolMeta) => states.get(id)?.code === "ready";
  const ready = tools.filter(isReady).map(({ id, description }): [string, string] => {
    const isUnset = id === webSearch.name && !search.isReady;
    return [`✓ ${id}`, isUnset ? search.summary : description];
  });
  // The mark says that it is not ready, so only the cause is printed.
  const others = tools
    .filter((meta) => !isReady(meta))
    .map(({ id }): [string, string] => {
      return [`· ${id}`, states.get(id)?.reason.replace(/^not built yet; /, "") ?? ""];
    });
  const count = [...states.values()].filter(({ code }) => code === "ready").length;
  const summary = `clawtools ${version}: ${count} of ${states.size} tools are served; the others say why not.`;
  return [
    ...formatColumns({ rows: [...ready, ["", ""], ...others], width }).map((line) =>
      line.trimEnd(),
    ),
    "",
    ...wrapText(summary, width),
    ...wrapText(`Root: ${toPrintable(root, 4_096)}`, width),
    "",
  ];
}

/** Each text to copy gets its own line, however long. */
function describeServer(
  server: HttpServer & { readonly gatewayUrl: string; readonly command: string },
  columns: number,
): string[] {
  const width = Math.max(columns, MIN_WIDTH);
  return [
    `Gateway:    ${server.gatewayUrl}`,
    `MCP server: ${server.url}`,
    `Token:      ${server.token}`,
    "",
    ...CLIENTS.flatMap((client) => {
      const { where, text } = overHttp(client, server);
      return [`${client.title}, ${where}:`, text, ""];
    }),
    ...wrapText(
      "A client can start the tools by itself instead, without this server; in the folder of your project:",
      width,
    ),
    `${server.command} mcp install --client claude-code --write`,
    "",
  ];
}

function describeToken({ auth }: Gateway): string {
  return auth.from === "the given token"
    ? "The token is the one in your environment."
    : `The token is kept in ${toPrintable(auth.from, 4_096)}, so the lines above stay valid after a restart.`;
}
