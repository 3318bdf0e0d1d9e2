// Every command with one line about it. A command's file is loaded when it is chosen.

import type { Command, CommandRow, Group, Groups } from "./command.js";

type LoadOne = () => Promise<{ readonly command: Command }>;

function alone(name: string, summary: string, load: LoadOne): CommandRow {
  return { name, summary, load: async () => (await load()).command };
}

function among<Name extends string>(
  load: () => Promise<Readonly<Record<NoInfer<Name>, Command>>>,
  summaries: Readonly<Record<Name, string>>,
): CommandRow[] {
  const names = Object.keys(summaries) as Name[]; // Object.keys loses the type of the keys.
  return names.map((name) => ({
    name,
    summary: summaries[name],
    load: async () => (await load())[name],
  }));
}

function single(section: Group["section"], summary: string, load: LoadOne): Group {
  return { section, summary, commands: [alone("", summary, load)] };
}

const toolsList = () => import("./commands/tools/list.js");
const toolsExplain = () => import("./commands/tools/explain.js");
const toolsSchema = () => import("./commands/tools/schema.js");
const toolsCall = () => import("./commands/tools/call.js");
const toolsCost = () => import("./commands/tools/cost.js");
const browser = async () => (await import("./commands/browser/commands.js")).COMMANDS;
const memory = async () => (await import("./commands/memory.js")).COMMANDS;
const agent = () => import("./commands/agent/agent.js");
const chat = () => import("./commands/agent/chat.js");
const sessions = async () => (await import("./commands/agent/sessions.js")).COMMANDS;
const models = async () => (await import("./commands/models.js")).COMMANDS;
const undo = async () => ({ command: (await import("./commands/undo/undo.js")).undo });
const diff = async () => ({ command: (await import("./commands/undo/undo.js")).diff });
const gatewayRun = () => import("./commands/gateway/run.js");
const gatewayService = () => import("./commands/gateway/background.js");
const ask = () => import("./commands/gateway/ask.js");
const gatewayAsk = async () => (await ask()).GATEWAY;
const status = async () => ({ command: (await ask()).GATEWAY.status });
const logs = async () => ({ command: (await ask()).logs });
const devices = async () => (await ask()).DEVICES;
const stateBackup = () => import("./commands/state/backup.js");
const cron = async () => (await import("./commands/cron.js")).COMMANDS;
const mcpServe = () => import("./commands/mcp/serve.js");
const mcpInstall = () => import("./commands/mcp/install.js");
const waiting = () => import("./commands/approvals/list.js");
const approvalAnswer = () => import("./commands/approvals/answer.js");
const grants = () => import("./commands/approvals/grants.js");
const watch = () => import("./commands/approvals/watch.js");
const auditShow = () => import("./commands/audit/show.js");
const auditVerify = () => import("./commands/audit/verify.js");
const configGet = () => import("./commands/config/get.js");
const configSet = () => import("./commands/config/set.js");
const configValidate = () => import("./commands/config/validate.js");
const configure = () => import("./commands/configure/configure.js");
const doctor = () => import("./commands/doctor/doctor.js");
const completion = () => import("./commands/completion.js");

const gateway = "Run the gateway: WebSocket, HTTP and MCP on one port.";
const serve = "Serve the tools to an MCP client.";

export const GROUPS: Groups = {
  tools: {
    section: "Tools",
    summary: "List, explain, measure and call tools.",
    commands: [
      alone("list", "List the tools an agent is offered.", toolsList),
      alone("explain", "Say why a tool is offered or not.", toolsExplain),
      alone("schema", "Show the parameters of tools as a provider gets them.", toolsSchema),
      alone("call", "Call one tool and print what a model would see.", toolsCall),
      alone("cost", "Estimate the tokens that tool schemas take of each request.", toolsCost),
    ],
  },
  browser: {
    section: "Tools",
    summary: "Drive a browser by hand.",
    commands: among(browser, {
      status: "Show which browser is installed and whether it is running.",
      start: "Start a browser and keep it open until this command ends.",
      stop: "Stop the browser that another command keeps open.",
      open: "Open a page and keep the browser open until this command ends.",
      tabs: "List the open tabs; `*` marks the current one.",
      focus: "Bring a tab to the front, such as t2.",
      close: "Close a tab (default: the current one).",
      navigate: "Go to another address in the same tab.",
      snapshot: "List the elements of a page with their refs.",
      text: "Print the text of a page.",
      screenshot: "Save a picture of a page as .png or .jpg.",
      pdf: "Save a page as PDF.",
      act: "Click, type and so on, and say what changed.",
      dialog: "Answer a dialog of the page.",
      upload: "Give files to a file input or an open file chooser.",
      download: "Save what a click downloads, or what was downloaded.",
      console: "List the newest console messages of a page.",
      errors: "List the newest uncaught errors of a page.",
      requests: "List the newest requests of a page.",
      call: "Call the tool with any arguments, as JSON.",
      doctor: "Check what a browser needs here.",
    }),
  },
  memory: {
    section: "Tools",
    summary: "Search the notes of an agent and maintain their index.",
    commands: among(memory, {
      index: "Update the index of the notes.",
      search: "Search the notes.",
      status: "Show how many notes are indexed and what is left out.",
    }),
  },
  agent: single("Tools", "Send a message to an agent and print its answer.", agent),
  chat: single("Tools", "Talk with an agent in the terminal.", chat),
  sessions: {
    section: "Tools",
    summary: "List, export and delete conversations with agents.",
    commands: among(sessions, {
      list: "List sessions, newest first.",
      export: "Print the transcript of a session as JSON lines.",
      purge: "Delete sessions that were not used for some days.",
    }),
  },
  models: {
    section: "Tools",
    summary: "List language models and try one.",
    commands: among(models, {
      list: "List the models that can be used here.",
      test: "Ask a model one short question.",
    }),
  },
  undo: single("Tools", "Undo the file changes of a call.", undo),
  diff: single("Tools", "Show the file changes of a call.", diff),
  gateway: {
    section: "Server",
    summary: gateway,
    commands: [
      alone("", gateway, gatewayRun),
      ...among(gatewayService, {
        start: "Start the gateway in the background.",
        stop: "Stop the gateway.",
        uninstall: "Stop the gateway and remove its service.",
      }),
      ...among(gatewayAsk, {
        call: "Call a method, or list the methods.",
        status: "Show whether the gateway is running.",
        restart: "Restart the gateway in place.",
      }),
    ],
  },
  status: single("Server", "Show whether the gateway is running.", status),
  logs: single("Server", "Print the end of the gateway log.", logs),
  state: {
    section: "Server",
    summary: "Back up config and state.",
    commands: among(stateBackup, { backup: "Write config and state to one file." }),
  },
  devices: {
    section: "Server",
    summary: "Pair devices with the gateway and manage their tokens.",
    commands: among(devices, {
      list: "List paired devices and those that wait for approval.",
      approve: "Approve a device that waits.",
      reject: "Reject a device that waits.",
      rotate: "Give a device a new token.",
      revoke: "Revoke the token of a device.",
    }),
  },
  cron: {
    section: "Server",
    summary: "Schedule jobs on the gateway.",
    commands: among(cron, {
      list: "List jobs, next one first.",
      add: "Add a job; shows its next three times.",
      edit: "Change a job.",
      run: "Run a job now.",
      runs: "Show past runs of a job, newest first.",
      rm: "Remove a job.",
      enable: "Enable a job.",
      disable: "Disable a job.",
    }),
  },
  mcp: {
    section: "Server",
    summary: serve,
    commands: [
      alone("", serve, mcpServe),
      alone("install", "Show or write the config that connects a client to the tools.", mcpInstall),
    ],
  },
  approvals: {
    section: "Safety",
    summary: "Answer pending commands and manage grants.",
    commands: [
      alone("list", "List the commands that wait for approval, or show one in full.", waiting),
      ...among(approvalAnswer, {
        approve: "Approve a pending command once.",
        deny: "Deny a pending command.",
      }),
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
        auditShow,
      ),
      alone("verify", "Check that no row was changed, removed, moved or cut off.", auditVerify),
    ],
  },
  config: {
    section: "Setup",
    summary: "Read, check and change the config.",
    commands: [
      ...among(configGet, { get: "Print the config or one value." }),
      ...among(configSet, {
        set: "Set one value; comments and the rest of the file stay.",
        unset: "Remove one value; its default applies again.",
      }),
      alone("validate", "Check the config or a file and list every problem.", configValidate),
      ...among(configGet, {
        schema: "Print the JSON Schema of the config, for editors.",
        path: "Print the path of the config file.",
      }),
    ],
  },
  configure: single("Setup", "Set up one part of the config by questions or flags.", configure),
  doctor: single("Setup", "Find problems and say how to fix them.", doctor),
  completion: single("Setup", "Print a completion script for bash, zsh or fish.", completion),
};

/** What other programs call a command: answered with our name for it. */
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
