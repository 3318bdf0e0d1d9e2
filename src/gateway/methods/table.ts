// Every method of the gateway, one line a noun. A new method is a row in the file of its noun.

import type { GatewayMethod } from "../services.js";
import { AGENT_METHODS } from "./agent.js";
import { APPROVAL_METHODS } from "./approvals.js";
import { CHAT_METHODS } from "./chat.js";
import { CONFIG_METHODS } from "./config.js";
import { CRON_METHODS } from "./cron.js";
import { DEVICE_METHODS } from "./devices.js";
import { HEALTH_METHODS } from "./health.js";
import { NEW_SESSION_METHODS } from "./new-session.js";
import { SESSION_METHODS } from "./sessions.js";
import { TOOL_METHODS } from "./tools.js";

export const METHODS: readonly GatewayMethod[] = [
  ...HEALTH_METHODS,
  ...CONFIG_METHODS,
  ...TOOL_METHODS,
  ...APPROVAL_METHODS,
  ...DEVICE_METHODS,
  ...AGENT_METHODS,
  ...CHAT_METHODS,
  ...SESSION_METHODS,
  ...NEW_SESSION_METHODS,
  ...CRON_METHODS,
];
