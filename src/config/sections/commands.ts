// `commands`: what may be commanded in a chat. `update`: how the gateway updates itself.

import { t } from "../../core/index.js";
import { lazy } from "../../lib/lazy.js";
import { openSection } from "./section.js";

export const commands = lazy(() =>
  openSection("Chat commands.", {
    restart: t.boolean({
      description: "Allow the `gateway` tool and chat commands to restart the gateway.",
      default: false,
    }),
  }),
);

export const update = lazy(() =>
  openSection("Gateway updates.", {
    command: t.string({
      description: "Bash command that `update.run` runs. Default: updates are disabled.",
      minLength: 1,
    }),
    timeoutSeconds: t.number({
      description: "Timeout of the update command.",
      minimum: 1,
      default: 600,
    }),
  }),
);
