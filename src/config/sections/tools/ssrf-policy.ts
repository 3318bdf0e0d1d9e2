// Which addresses may be reached; for fetching and for the browser alike.

import { t } from "../../../core/index.js";
import { lazy } from "../../../lib/lazy.js";
import { section, texts } from "../section.js";

const off = (description: string) => t.boolean({ description, default: false });

export const ssrfPolicy = lazy(() =>
  section(
    "Which addresses may be reached; private ones are refused unless one of its keys allows them.",
    {
      allowedHostnames: texts("Hosts that may be private, such as `localhost`."),
      blockedHostnames: texts("Hosts that are refused: a name, or `*.example.com`."),
      hostnameAllowlist: texts("Only these hosts are reached."),
      dangerouslyAllowPrivateNetwork: off("Every private address may be reached."),
      allowRfc2544BenchmarkRange: off("198.18.0.0/15 may be reached; some proxies answer with it."),
      allowIpv6UniqueLocalRange: off("fc00::/7 may be reached."),
    },
  ),
);
