// `channels`: the services by which people write to the agent.

import { t } from "../../core/index.js";
import { lazy } from "../../lib/lazy.js";
import { either, openSection } from "./section.js";
import { toolLists, toolsBySender } from "./tools/tool-lists.js";

const senders = lazy(() =>
  t.array(either([t.string(), t.number()]), {
    description: "Allowed senders; `*` means anyone.",
  }),
);

const group = lazy(() =>
  openSection("One group.", {
    enabled: t.boolean({ description: "Enable the group." }),
    requireMention: t.boolean({ description: "Reply only when mentioned." }),
    tools: toolLists(),
    toolsBySender: toolsBySender(),
  }),
);

const channel = lazy(() =>
  openSection("One channel; it may add keys.", {
    enabled: t.boolean({ description: "Enable the channel." }),
    botToken: t.string({ description: "Bot token." }),
    apiRoot: t.string({ description: "Base URL." }),
    httpUrl: t.string({ description: "Daemon URL." }),
    cliPath: t.string({ description: "CLI executable." }),
    dmPolicy: t.choice(["pairing", "allowlist", "open", "disabled"], {
      description: "Who may send direct messages.",
    }),
    groupPolicy: t.choice(["allowlist", "open", "disabled"], {
      description: "Which groups are enabled.",
    }),
    allowFrom: senders(),
    actions: t.record(t.boolean(), { description: "Actions to enable or disable." }),
    groups: t.record(group(), { description: "Groups by id; `*` means all." }),
  }),
);

export const channels = lazy(() =>
  t.record(channel(), { description: "Channels by name, such as `slack`." }),
);
