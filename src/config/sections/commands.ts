// `commands`: what may be commanded in a chat. `update`: how the gateway updates itself.

import { t } from "../../core/index.js";
import { lazy } from "../../lib/lazy.js";
import { openSection } from "./section.js";

export const commands = lazy(() =>
  openSection("Commands in chats.", {
    restart: t.boolean({
      description: "The gateway may be restarted by the tool `gateway` and by a command.",
      default: false,
    }),
  }),
);

export const update = lazy(() =>
  openSection("Updates of the gateway.", {
    command: t.string({
      description: "Command that `update.run` runs with bash; without it there are no updates.",
      minLength: 1,
    }),
    timeoutSeconds: t.number({
      description: "Seconds that the command may take.",
      minimum: 1,
      default: 600,
    }),
  }),
);
