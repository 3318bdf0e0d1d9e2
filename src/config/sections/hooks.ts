// `hooks`: calls from outside over HTTP that start work.

import { t } from "../../core/index.js";
import { lazy } from "../../lib/lazy.js";
import { openSection, texts } from "./section.js";

const mapping = lazy(() =>
  openSection("One mapping.", {
    id: t.string({ description: "Mapping id." }),
    match: openSection("Which requests match.", {
      path: t.string({ description: "Path suffix to match." }),
      source: t.string({ description: "`source` field to match." }),
    }),
    action: t.choice(["wake", "agent"], { description: "Wake the agent, or start a run." }),
    wakeMode: t.choice(["now", "next-heartbeat"], { description: "When to wake the agent." }),
    messageTemplate: t.string({
      description: "Message template; `{{a.b[0]}}` is a request field.",
    }),
  }),
);

export const hooks = lazy(() =>
  openSection("Incoming webhooks.", {
    enabled: t.boolean({ description: "Accept webhooks; requires `token`.", default: false }),
    token: t.string({ description: "Token that callers must send." }),
    path: t.string({ description: "Base path.", pattern: "^/.+", default: "/hooks" }),
    maxBodyBytes: t.integer({
      description: "Maximum request body in bytes.",
      minimum: 1,
      default: 262_144,
    }),
    allowedAgentIds: texts("Agents that a request may select."),
    allowRequestSessionKey: t.boolean({
      description: "Let a request choose its session.",
      default: false,
    }),
    allowedSessionKeyPrefixes: texts("Required prefixes of such session keys."),
    mappings: t.array(mapping(), { description: "Request mappings." }),
  }),
);
