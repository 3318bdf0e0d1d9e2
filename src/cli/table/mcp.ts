// The commands about the Model Context Protocol: serving the tools to a client, and
// setting up a client.

import { ALLOW_LOCAL_FLAG, JSON_FLAG } from "../flags.js";
import type { Command, CommandGroup } from "./command.js";

const SERVE: Command = {
  group: "mcp",
  name: "",
  operands: [],
  summary: "Serve the tools to an MCP client.",
  notes: [
    "The client starts this command and speaks with it over stdin and stdout; it ends when the client does.",
    "Without --root the working folder is served; a folder that holds the home folder only when --root names it.",
    "With --http it listens on 127.0.0.1 instead and prints the address and the token; CLAWTOOLS_MCP_TOKEN gives a token of your own.",
  ],
  flags: {
    profile: {
      type: "string",
      value: "NAME",
      text: "Use this profile instead of that of the config: minimal, coding, messaging, full.",
    },
    allow: {
      type: "string",
      value: "NAMES",
      text: "Offer only these of what the config leaves: tools or groups, with commas.",
    },
    deny: {
      type: "string",
      value: "NAMES",
      text: "Leave these out: tools or groups, with commas.",
    },
    "read-only": { type: "boolean", text: "Offer only tools that change nothing." },
    agent: { type: "string", value: "ID", text: "As this agent of the config." },
    ...ALLOW_LOCAL_FLAG,
    http: { type: "string", value: "PORT", text: "Serve over HTTP; 0 takes any free port." },
  },
  required: [],
  sample: "clawtools mcp --root ~/project --profile coding",
  load: () => import("../commands/mcp/serve.js"),
};

const INSTALL: Command = {
  group: "mcp",
  name: "install",
  operands: [],
  summary: "Show what connects a client to the tools, or write it into the client's file.",
  notes: [
    "With --write the rest of the file stays as it is, also what you added to the entry; one copy of the old file is kept beside it.",
    "What `clawtools mcp` would refuse is refused here.",
    "--root, --config and the flags that say which tools are offered become part of what the client starts.",
  ],
  flags: {
    client: {
      type: "string",
      value: "NAME",
      text: "claude-code, cursor, vscode or zed.",
      completes: ["claude-code", "cursor", "vscode", "zed"],
    },
    scope: {
      type: "string",
      value: "SCOPE",
      text: "project (the default): in this root; user: in all your projects, with this root.",
      completes: ["project", "user"],
    },
    write: { type: "boolean", text: "Write it." },
    profile: {
      type: "string",
      value: "NAME",
      text: "Use this profile: see `clawtools mcp --help`.",
    },
    allow: { type: "string", value: "NAMES", text: "Offer only these." },
    deny: { type: "string", value: "NAMES", text: "Leave these out." },
    "read-only": { type: "boolean", text: "Offer only tools that change nothing." },
    agent: { type: "string", value: "ID", text: "As this agent of the config." },
    ...ALLOW_LOCAL_FLAG,
    ...JSON_FLAG,
  },
  required: ["client"],
  sample: "clawtools mcp install --client claude-code --write",
  load: () => import("../install/install.js"),
};

export const MCP_GROUP: CommandGroup = {
  name: "mcp",
  summary: SERVE.summary,
  commands: [SERVE, INSTALL],
};
