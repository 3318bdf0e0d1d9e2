// `tools.message`: to whom the agent may write.

import { t } from "../../../core/index.js";
import { lazy } from "../../../lib/lazy.js";
import { openSection, section } from "../section.js";

const marker = lazy(() =>
  section("Says where a message came from.", {
    enabled: t.boolean({ description: "Mark such messages.", default: true }),
    prefix: t.string({ description: "Put before the text; `{channel}` is the channel." }),
    suffix: t.string({ description: "Put after the text; `{channel}` is the channel." }),
  }),
);

const crossContext = lazy(() =>
  section("Writing out of the conversation that is going on.", {
    allowWithinProvider: t.boolean({
      description: "To another conversation of the same channel.",
      default: true,
    }),
    allowAcrossProviders: t.boolean({ description: "To another channel.", default: false }),
    marker: marker(),
  }),
);

export const message = lazy(() =>
  openSection("The tool `message`.", {
    allowCrossContextSend: t.boolean({
      description: "Use tools.message.crossContext.",
      deprecated: true,
    }),
    crossContext: crossContext(),
    broadcast: section("Writing to many at once.", {
      enabled: t.boolean({ description: "Offer the action.", default: true }),
    }),
  }),
);
