// `tools.net`: the way out of all tools. The browser has rules of its own and shares the proxy.

import { t } from "../../../core/index.js";
import { lazy } from "../../../lib/lazy.js";
import { section, texts } from "../section.js";
import { ssrfPolicy } from "./ssrf-policy.js";

export const net = lazy(() =>
  section("Network access of all tools. The browser shares only the proxy.", {
    ssrfPolicy: ssrfPolicy(),
    proxy: t.string({
      description:
        "Proxy URL, or `env` to use HTTPS_PROXY, HTTP_PROXY and NO_PROXY. Default: no proxy.",
      minLength: 1,
    }),
    noProxy: texts("Hosts to reach without the proxy, including their subdomains."),
  }),
);
