// `tools.net`: the way out of all tools. The browser has rules of its own and shares the proxy.

import { t } from "../../../core/index.js";
import { lazy } from "../../../lib/lazy.js";
import { section, texts } from "../section.js";
import { ssrfPolicy } from "./ssrf-policy.js";

export const net = lazy(() =>
  section("The network of all tools; the browser has rules of its own and shares only the proxy.", {
    ssrfPolicy: ssrfPolicy(),
    proxy: t.string({
      description:
        "Address of a proxy, or `env` for HTTPS_PROXY, HTTP_PROXY and NO_PROXY. Without it none is used.",
      minLength: 1,
    }),
    noProxy: texts("Hosts that are reached without the proxy, each with all names below it."),
  }),
);
