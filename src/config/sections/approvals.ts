// `approvals`: how people are asked. What was granted is in a file of its own.

import { t } from "../../core/index.js";
import { lazy } from "../../lib/lazy.js";
import { openSection, section, texts } from "./section.js";

const target = lazy(() =>
  t.object(
    {
      channel: t.string({ description: "Channel.", minLength: 1 }),
      to: t.string({ description: "Whom.", minLength: 1 }),
      accountId: t.optional(t.string({ description: "Account that sends." })),
      threadId: t.optional(t.string({ description: "Thread." })),
    },
    { description: "One place." },
  ),
);

export const approvals = lazy(() =>
  openSection("Asking before something runs.", {
    timeoutMs: t.integer({
      description: "Milliseconds to wait for an answer; without one the call is refused.",
      minimum: 1,
      default: 300_000,
    }),
    exec: section("Questions about commands, sent to chats.", {
      enabled: t.boolean({ description: "Send them.", default: false }),
      mode: t.choice(["session", "targets", "both"], {
        description: "To the chat of the session, to the places below, to both.",
        default: "session",
      }),
      agentFilter: texts("Only for these agents."),
      sessionFilter: texts("Only for session keys that hold one of these."),
      targets: t.array(target(), { description: "Where questions go." }),
    }),
  }),
);
