// Which addresses may be reached; for fetching and for the browser alike.

import { t } from "../../../core/index.js";
import { lazy } from "../../../lib/lazy.js";
import { section, texts } from "../section.js";

const off = (description: string) => t.boolean({ description, default: false });

export const ssrfPolicy = lazy(() =>
  section("Which addresses may be reached. Private addresses are blocked by default.", {
    allowedHostnames: texts("Hosts that may have a private address, such as `localhost`."),
    blockedHostnames: texts("Blocked hosts: a name or `*.example.com`."),
    hostnameAllowlist: texts("If set, only these hosts can be reached."),
    dangerouslyAllowPrivateNetwork: off("Allow all private addresses."),
    allowRfc2544BenchmarkRange: off("Allow 198.18.0.0/15, which some proxies answer with."),
    allowIpv6UniqueLocalRange: off("Allow fc00::/7."),
  }),
);
