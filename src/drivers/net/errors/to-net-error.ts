// What Node and the HTTP client throw, as the errors of the port.

import { isToolError, type ToolError } from "../../../core/index.js";
import { readText } from "../../../lib/read-field.js";
import {
  badResponse,
  connectionFailed,
  headersTooLarge,
  nameNotFound,
  netClosed,
  requestInvalid,
} from "./failures.js";

export const MAX_HEADER_BYTES = 32 * 1024;

const NO_NAME = ["ENOTFOUND", "EAI_AGAIN", "EAI_FAIL", "ENODATA", "EAI_NONAME"];
const INVALID = ["UND_ERR_INVALID_ARG", "ERR_INVALID_ARG_VALUE", "ERR_INVALID_CHAR"];
const CLOSED = ["UND_ERR_DESTROYED", "UND_ERR_CLOSED"];
const BROKEN_ENCODING = /^(?:Z_|ERR_BROTLI|ERR__ERROR_)/;
/** The parser, and a connection that ended before the answer did. */
const BROKEN_ANSWER = /^(?:HPE_|UND_ERR_(?:SOCKET|RES_|REQ_)|ERR_STREAM_PREMATURE)/;
const CERTIFICATE = /CERT|SELF_SIGNED|ERR_TLS|UNABLE_TO_|SSL/;

export function toNetError(thrown: unknown, host: string): ToolError {
  if (isToolError(thrown)) return thrown;
  const code = codeOf(thrown);
  if (NO_NAME.includes(code)) return nameNotFound(host, thrown);
  if (CLOSED.includes(code)) return netClosed();
  if (INVALID.includes(code) && thrown instanceof Error) return requestInvalid(thrown);
  if (code === "UND_ERR_HEADERS_OVERFLOW") return headersTooLarge(host, MAX_HEADER_BYTES);
  if (BROKEN_ENCODING.test(code)) {
    const why = "its content encoding is damaged, or ends too early";
    return badResponse(host, { why, cause: thrown });
  }
  if (BROKEN_ANSWER.test(code) || isParserError(thrown)) {
    return badResponse(host, { why: reasonOf(thrown), cause: thrown });
  }
  const isCertificate = CERTIFICATE.test(code);
  const why = isCertificate ? `its certificate does not hold (${code})` : reasonOf(thrown);
  return connectionFailed(host, { why, cause: thrown });
}

/** Some of them have no code. */
function isParserError(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.name === "HTTPParserError";
}

function codeOf(thrown: unknown): string {
  return readText(thrown, "code") ?? "";
}

function reasonOf(thrown: unknown): string {
  const message = thrown instanceof Error ? thrown.message : "";
  return message === "" ? codeOf(thrown) || "the connection failed" : message;
}
