// Where Firecrawl may be asked: a key is not sent in clear but within the own network.

import { ToolInputError } from "../../../core/index.js";
import { findBaseUrlFault } from "../../../lib/base-url.js";

/** Throws `invalid_input` for an address that cannot be asked, or would show the key to everybody. */
export function assertFirecrawlAddress(baseUrl: string | undefined): void {
  if (baseUrl === undefined) return;
  const fault = findBaseUrlFault(baseUrl, "https://firecrawl.example.com");
  if (fault === undefined) return;
  throw new ToolInputError(`tools.web.fetch.firecrawl.baseUrl ${fault}`, {
    reason: "firecrawl_address_invalid",
  });
}
