// `tools.message`: to whom the agent may write.

import { t } from "../../../core/index.js";
import { lazy } from "../../../lib/lazy.js";
import { openSection, section } from "../section.js";

const marker = lazy(() =>
  section("Marks the origin of a message.", {
    enabled: t.boolean({ description: "Mark cross-context messages.", default: true }),
    prefix: t.string({ description: "Text before the message; `{channel}` is replaced." }),
    suffix: t.string({ description: "Text after the message; `{channel}` is replaced." }),
  }),
);

const crossContext = lazy(() =>
  section("Messages to other conversations.", {
    allowWithinProvider: t.boolean({
      description: "Allow other conversations in the same channel.",
      default: true,
    }),
    allowAcrossProviders: t.boolean({ description: "Allow other channels.", default: false }),
    marker: marker(),
  }),
);

export const message = lazy(() =>
  openSection("The `message` tool.", {
    allowCrossContextSend: t.boolean({
      description: "Use tools.message.crossContext.",
      deprecated: true,
    }),
    crossContext: crossContext(),
    broadcast: section("Broadcasts.", {
      enabled: t.boolean({ description: "Allow broadcasts.", default: true }),
    }),
  }),
);
