// `hooks`: calls from outside over HTTP that start work.

import { t } from "../../core/index.js";
import { lazy } from "../../lib/lazy.js";
import { openSection, texts } from "./section.js";

const mapping = lazy(() =>
  openSection("What one call leads to.", {
    id: t.string({ description: "Name of the mapping." }),
    match: openSection("Which calls.", {
      path: t.string({ description: "End of the address." }),
      source: t.string({ description: "Field `source` of the call." }),
    }),
    action: t.choice(["wake", "agent"], { description: "Wake the agent, or start a run." }),
    wakeMode: t.choice(["now", "next-heartbeat"], { description: "When." }),
    messageTemplate: t.string({ description: "The message; `{{a.b[0]}}` is a field of the call." }),
  }),
);

export const hooks = lazy(() =>
  openSection("Calls from outside over HTTP.", {
    enabled: t.boolean({ description: "Take them; a token is needed.", default: false }),
    token: t.string({ description: "Secret that a caller must send." }),
    path: t.string({ description: "Where they come in.", pattern: "^/.+", default: "/hooks" }),
    maxBodyBytes: t.integer({ description: "Bytes of one call.", minimum: 1, default: 262_144 }),
    allowedAgentIds: texts("Agents that a call may name."),
    allowRequestSessionKey: t.boolean({
      description: "A call may name its session.",
      default: false,
    }),
    allowedSessionKeyPrefixes: texts("How such a session key must begin."),
    mappings: t.array(mapping(), { description: "What calls lead to." }),
  }),
);
