// Where Firecrawl may be asked: a key is not sent in clear but within the own network.

import { isIPv4 } from "node:net";
import { ToolInputError } from "../../../core/index.js";

const PLACE = "tools.web.fetch.firecrawl.baseUrl";
const LOCAL_NAME = /(?:^|\.)(?:localhost|local|internal|lan|home\.arpa)$/;
const PRIVATE_IPV4 =
  /^(?:10|127|192\.168|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./;
const LOCAL_IPV6 = /^\[(?:::1\]|f[cd][\da-f]{2}:)/;

/** Throws `invalid_input` for an address that cannot be asked, or would show the key to everybody. */
export function assertFirecrawlAddress(baseUrl: string | undefined): void {
  if (baseUrl === undefined) return;
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw invalid("is no address; write one like https://firecrawl.example.com.");
  }
  if (url.username !== "" || url.password !== "") {
    throw invalid("has a user name or password in it; leave them out.");
  }
  if (url.protocol === "http:" && !isLocal(url.hostname)) {
    throw invalid("is a public address without encryption; write it with https.");
  }
}

/** By its looks: a name without a dot is one of the own network. */
function isLocal(host: string): boolean {
  if (isIPv4(host)) return PRIVATE_IPV4.test(host);
  if (host.startsWith("[")) return LOCAL_IPV6.test(host);
  return !host.includes(".") || LOCAL_NAME.test(host);
}

function invalid(why: string): ToolInputError {
  return new ToolInputError(`${PLACE} ${why}`, { reason: "firecrawl_address_invalid" });
}
