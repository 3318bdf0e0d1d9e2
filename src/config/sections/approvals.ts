// `approvals`: how people are asked. What was granted is in a file of its own.

import { t } from "../../core/index.js";
import { lazy } from "../../lib/lazy.js";
import { openSection, section, texts } from "./section.js";

const target = lazy(() =>
  t.object(
    {
      channel: t.string({ description: "Channel.", minLength: 1 }),
      to: t.string({ description: "Recipient.", minLength: 1 }),
      accountId: t.optional(t.string({ description: "Sending account." })),
      threadId: t.optional(t.string({ description: "Thread." })),
    },
    { description: "One target." },
  ),
);

export const approvals = lazy(() =>
  openSection("Approval requests.", {
    timeoutMs: t.integer({
      description: "How long to wait for an answer before denying the call.",
      minimum: 1,
      default: 300_000,
    }),
    exec: section("Approval requests for commands, sent to chats.", {
      enabled: t.boolean({ description: "Send approval requests to chats.", default: false }),
      mode: t.choice(["session", "targets", "both"], {
        description: "Send to the session's chat, to `targets`, or both.",
        default: "session",
      }),
      agentFilter: texts("Only for these agents."),
      sessionFilter: texts("Only for session keys that contain one of these."),
      targets: t.array(target(), { description: "Chats that receive approval requests." }),
    }),
  }),
);
