// Every command with one line about it. The file of a command is loaded when it is chosen, so help and
// version load nothing but this.

import type { Command, CommandRow, Groups } from "./command.js";

type Module = Promise<{ readonly command: Command }>;

/** A command in a file of its own. */
function alone(name: string, summary: string, load: () => Module): CommandRow {
  return { name, summary, load: async () => (await load()).command };
}

/** A command of a file with several. */
function among<Name extends string>(
  name: Name,
  summary: string,
  load: () => Promise<Readonly<Record<Name, Command>>>,
): CommandRow {
  return { name, summary, load: async () => (await load())[name] };
}

function one(name: string, summary: string, load: () => Promise<Command>): CommandRow {
  return { name, summary, load };
}

const browser = async () => (await import("./commands/browser/commands.js")).COMMANDS;
const models = async () => (await import("./commands/models.js")).COMMANDS;
const memory = async () => (await import("./commands/memory.js")).COMMANDS;

const configGet = () => import("./commands/config/get.js");
const configSet = () => import("./commands/config/set.js");
const waiting = () => import("./commands/approvals/list.js");
const grants = () => import("./commands/approvals/grants.js");
const watch = () => import("./commands/approvals/watch.js");
const approvalAnswer = () => import("./commands/approvals/answer.js");
const cron = async () => (await import("./commands/cron.js")).COMMANDS;
const ask = async () => await import("./commands/gateway/ask.js");
const gatewayAsk = async () => (await ask()).GATEWAY;
const service = () => import("./commands/gateway/background.js");
const stateBackup = () => import("./commands/state/backup.js");
const devices = async () => (await ask()).DEVICES;

const agent = "Send a message to an agent and print its answer.";
const chat = "Talk with an agent in the terminal.";
const sessions = async () => (await import("./commands/agent/sessions.js")).COMMANDS;
const gateway = "Run the gateway: WebSocket, HTTP and MCP on one port.";
const status = "Show whether the gateway is running.";
const logs = "Print the end of the gateway log.";
const undo = "Undo the file changes of a call.";
const diff = "Show the file changes of a call.";
const configure = "Set up one part of the config by questions or flags.";
const doctor = "Find problems and say how to fix them.";
const completion = "Print a completion script for bash, zsh or fish.";
const serve = "Serve the tools to an MCP client.";

/** In the order of help. */
export const GROUPS: Groups = {
  tools: {
    section: "Tools",
    summary: "List, explain, measure and call tools.",
    commands: [
      alone(
        "list",
        "List the tools an agent is offered.",
        () => import("./commands/tools/list.js"),
      ),
      alone(
        "explain",
        "Say why a tool is offered or not.",
        () => import("./commands/tools/explain.js"),
      ),
      alone(
        "schema",
        "Show the parameters of tools as a provider gets them.",
        () => import("./commands/tools/schema.js"),
      ),
      alone(
        "call",
        "Call one tool and print what a model would see.",
        () => import("./commands/tools/call.js"),
      ),
      alone(
        "cost",
        "Estimate the tokens that tool schemas take of each request.",
        () => import("./commands/tools/cost.js"),
      ),
    ],
  },
  browser: {
    section: "Tools",
    summary: "Drive a browser by hand.",
    commands: [
      among("status", "Show which browser is installed and whether it is running.", browser),
      among("start", "Start a browser and keep it open until this command ends.", browser),
      among("stop", "Stop the browser that another command keeps open.", browser),
      among("open", "Open a page and keep the browser open until this command ends.", browser),
      among("tabs", "List the open tabs; `*` marks the current one.", browser),
      among("focus", "Bring a tab to the front, such as t2.", browser),
      among("close", "Close a tab (default: the current one).", browser),
      among("navigate", "Go to another address in the same tab.", browser),
      among("snapshot", "List the elements of a page with their refs.", browser),
      among("text", "Print the text of a page.", browser),
      among("screenshot", "Save a picture of a page as .png or .jpg.", browser),
      among("pdf", "Save a page as PDF.", browser),
      among("act", "Click, type and so on, and say what changed.", browser),
      among("dialog", "Answer a dialog of the page.", browser),
      among("upload", "Give files to a file input or an open file chooser.", browser),
      among("download", "Save what a click downloads, or what was downloaded.", browser),
      among("console", "List the newest console messages of a page.", browser),
      among("errors", "List the newest uncaught errors of a page.", browser),
      among("requests", "List the newest requests of a page.", browser),
      among("call", "Call the tool with any arguments, as JSON.", browser),
      among("doctor", "Check what a browser needs here.", browser),
    ],
  },
  memory: {
    section: "Tools",
    summary: "Search the notes of an agent and maintain their index.",
    commands: [
      among("index", "Update the index of the notes.", memory),
      among("search", "Search the notes.", memory),
      among("status", "Show how many notes are indexed and what is left out.", memory),
    ],
  },
  agent: {
    section: "Tools",
    summary: agent,
    commands: [alone("", agent, () => import("./commands/agent/agent.js"))],
  },
  chat: {
    section: "Tools",
    summary: chat,
    commands: [alone("", chat, () => import("./commands/agent/chat.js"))],
  },
  sessions: {
    section: "Tools",
    summary: "List, export and delete conversations with agents.",
    commands: [
      among("list", "List sessions, newest first.", sessions),
      among("export", "Print the transcript of a session as JSON lines.", sessions),
      among("purge", "Delete sessions that were not used for some days.", sessions),
    ],
  },
  models: {
    section: "Tools",
    summary: "List language models and try one.",
    commands: [
      among("list", "List the models that can be used here.", models),
      among("test", "Ask a model one short question.", models),
    ],
  },
  undo: {
    section: "Tools",
    summary: undo,
    commands: [alone("", undo, () => import("./commands/undo/undo.js"))],
  },
  diff: {
    section: "Tools",
    summary: diff,
    commands: [alone("", diff, () => import("./commands/undo/diff.js"))],
  },
  gateway: {
    section: "Server",
    summary: gateway,
    commands: [
      alone("", gateway, () => import("./commands/gateway/run.js")),
      among("start", "Start the gateway in the background.", service),
      among("stop", "Stop the gateway.", service),
      among("uninstall", "Stop the gateway and remove its service.", service),
      among("call", "Call a method, or list the methods.", gatewayAsk),
      among("status", "Show whether the gateway is running.", gatewayAsk),
      among("restart", "Restart the gateway in place.", gatewayAsk),
    ],
  },
  status: {
    section: "Server",
    summary: status,
    commands: [one("", status, async () => (await gatewayAsk()).status)],
  },
  logs: {
    section: "Server",
    summary: logs,
    commands: [one("", logs, async () => (await ask()).logs)],
  },
  state: {
    section: "Server",
    summary: "Back up config and state.",
    commands: [among("backup", "Write config and state to one file.", stateBackup)],
  },
  devices: {
    section: "Server",
    summary: "Pair devices with the gateway and manage their tokens.",
    commands: [
      among("list", "List paired devices and those that wait for approval.", devices),
      among("approve", "Approve a device that waits.", devices),
      among("reject", "Reject a device that waits.", devices),
      among("rotate", "Give a device a new token.", devices),
      among("revoke", "Revoke the token of a device.", devices),
    ],
  },
  cron: {
    section: "Server",
    summary: "Schedule jobs on the gateway.",
    commands: [
      among("list", "List jobs, next one first.", cron),
      among("add", "Add a job; shows its next three times.", cron),
      among("edit", "Change a job.", cron),
      among("run", "Run a job now.", cron),
      among("runs", "Show past runs of a job, newest first.", cron),
      among("rm", "Remove a job.", cron),
      among("enable", "Enable a job.", cron),
      among("disable", "Disable a job.", cron),
    ],
  },
  mcp: {
    section: "Server",
    summary: serve,
    commands: [
      alone("", serve, () => import("./commands/mcp/serve.js")),
      alone(
        "install",
        "Show or write the config that connects a client to the tools.",
        () => import("./commands/mcp/install.js"),
      ),
    ],
  },
  approvals: {
    section: "Safety",
    summary: "Answer pending commands and manage grants.",
    commands: [
      alone("list", "List the commands that wait for approval, or show one in full.", waiting),
      among("approve", "Approve a pending command once.", approvalAnswer),
      among("deny", "Deny a pending command.", approvalAnswer),
      alone("grants", "List, add or remove what may run without approval.", grants),
      alone("watch", "Wait for commands that need approval and ask here.", watch),
    ],
  },
  audit: {
    section: "Safety",
    summary: "Read and verify the record of all calls.",
    commands: [
      alone(
        "show",
        "Show the latest calls: who, what, by which rule, with which result.",
        () => import("./commands/audit/show.js"),
      ),
      alone(
        "verify",
        "Check that no row was changed, removed, moved or cut off.",
        () => import("./commands/audit/verify.js"),
      ),
    ],
  },
  config: {
    section: "Setup",
    summary: "Read, check and change the config.",
    commands: [
      among("get", "Print the config or one value.", configGet),
      among("set", "Set one value; comments and the rest of the file stay.", configSet),
      among("unset", "Remove one value; its default applies again.", configSet),
      alone(
        "validate",
        "Check the config or a file and list every problem.",
        () => import("./commands/config/validate.js"),
      ),
      among("schema", "Print the JSON Schema of the config, for editors.", configGet),
      among("path", "Print the path of the config file.", configGet),
    ],
  },
  configure: {
    section: "Setup",
    summary: configure,
    commands: [alone("", configure, () => import("./commands/configure/configure.js"))],
  },
  doctor: {
    section: "Setup",
    summary: doctor,
    commands: [alone("", doctor, () => import("./commands/doctor/doctor.js"))],
  },
  completion: {
    section: "Setup",
    summary: completion,
    commands: [alone("", completion, () => import("./commands/completion.js"))],
  },
};

/** What other programs call a command: not accepted, but answered with its name. */
export const ALIASES: Readonly<Record<string, string>> = {
  "browser goto": "browser navigate",
  "browser go": "browser navigate",
  "browser visit": "browser navigate",
  ...Object.fromEntries(
    ["click", "type", "press", "hover", "drag", "select", "fill", "resize", "wait", "evaluate"]
      .concat(["scroll", "check", "uncheck", "batch", "clickCoords", "scrollIntoView"])
      .map((kind) => [`browser ${kind}`, `browser act ${kind}`]),
  ),
};
