// `channels`: the services by which people write to the agent.

import { t } from "../../core/index.js";
import { lazy } from "../../lib/lazy.js";
import { either, openSection } from "./section.js";
import { toolLists, toolsBySender } from "./tools/tool-lists.js";

const senders = lazy(() =>
  t.array(either([t.string(), t.number()]), {
    description: "Who may write; `*` is everybody.",
  }),
);

const group = lazy(() =>
  openSection("One group or room.", {
    enabled: t.boolean({ description: "Listen to it." }),
    requireMention: t.boolean({ description: "Answer only when spoken to." }),
    tools: toolLists(),
    toolsBySender: toolsBySender(),
  }),
);

const channel = lazy(() =>
  openSection("One channel; further keys are its own.", {
    enabled: t.boolean({ description: "Use it." }),
    botToken: t.string({ description: "Secret of the bot." }),
    apiRoot: t.string({ description: "Address of the service." }),
    httpUrl: t.string({ description: "Address of its daemon." }),
    cliPath: t.string({ description: "Program that talks to it." }),
    dmPolicy: t.choice(["pairing", "allowlist", "open", "disabled"], {
      description: "Who may write directly.",
    }),
    groupPolicy: t.choice(["allowlist", "open", "disabled"], {
      description: "Which groups are listened to.",
    }),
    allowFrom: senders(),
    actions: t.record(t.boolean(), { description: "Actions that are on or off." }),
    groups: t.record(group(), { description: "Groups and rooms by id; `*` is every group." }),
  }),
);

export const channels = lazy(() =>
  t.record(channel(), { description: "Channels by name, such as `slack`." }),
);
