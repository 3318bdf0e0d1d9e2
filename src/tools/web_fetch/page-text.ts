// From an answer of the network to text, by what it holds: HTML, JSON, PDF, plain text.

import type { NetResponse } from "../../core/index.js";
import { type DecodedBody, decodeBody } from "./charset.js";
import type { Onward } from "./html/onward.js";
import { type HtmlRequest, readHtml } from "./html-page.js";
import { readPdfPage } from "./pdf-page.js";
import { readPlain } from "./plain-page.js";
import { notText } from "./request/not-text.js";
import { dropUnseen } from "./unseen.js";

const MAX_INVALID_SHARE = 0.01;
const SNIFF_BYTES = 512;
const HTML_START =
  /^\s*(?:<!--[\s\S]{0,300}?-->\s*)?<(?:!doctype\s+html|html|head|body|title|meta|h1|div|p|table)[\s>]/i;

/** What a page became, whoever asks for it. */
export interface PageText {
  readonly text: string;
  readonly title: string;
  readonly extractor: string;
  /** For `details`: what is known about how well it was read. */
  readonly facts: Readonly<Record<string, unknown>>;
  readonly warnings: readonly string[];
  /** Where the page leads, when it has hardly any text of its own. */
  readonly onward?: Onward;
}

export interface PageRequest
  extends Pick<HtmlRequest, "mode" | "includesHidden" | "takesMainPart" | "signal" | "offers"> {
  readonly response: NetResponse;
  /** The address as it was asked for. */
  readonly asked: string;
}

type Content = "html" | "json" | "pdf" | "text" | "other";

export async function readPage(request: PageRequest): Promise<PageText> {
  const { response, asked, signal } = request;
  const contentType = response.headers["content-type"] ?? "";
  const content = judgeContent(response.body, contentType);
  if (content === "other") throw notText({ response, asked, contentType });
  if (content === "pdf") return withoutUnseen(await readPdfPage({ response, signal }));
  const decoded = await decodeBody(response.body, contentType);
  const page = await readDecoded({ request, content, decoded });
  const warnings = [...page.warnings, ...describeBytes(response, decoded)];
  return { ...page, facts: { ...page.facts, charset: decoded.charset }, warnings };
}

async function readDecoded(asked: {
  readonly request: PageRequest;
  readonly content: "html" | "json" | "text";
  readonly decoded: DecodedBody;
}): Promise<PageText> {
  const { request, content, decoded } = asked;
  if (content === "html") {
    return readHtml({ ...request, source: decoded.text, url: request.response.url });
  }
  const { signal } = request;
  return withoutUnseen(await readPlain({ source: decoded.text, content, signal }));
}

/** HTML is rid of them where it is read. */
export function withoutUnseen(page: PageText): PageText {
  const { text, hiddenChars } = dropUnseen(page.text);
  const title = dropUnseen(page.title).text;
  return { ...page, text, title, facts: { ...page.facts, hiddenChars } };
}

function judgeContent(body: Uint8Array, contentType: string): Content {
  const [type = ""] = contentType.toLowerCase().split(";");
  const name = type.trim();
  const head = Buffer.from(body.subarray(0, SNIFF_BYTES)).toString("latin1");
  if (head.startsWith("%PDF-")) return "pdf";
  if (name === "text/html" || name === "application/xhtml+xml") return "html";
  if (/[/+]json$/.test(name)) return "json";
  if (/^text\/|[/+](?:xml|yaml|javascript|x-ndjson|toml|sql|x-sh)$/.test(name)) return "text";
  const isUnsaid = name === "" || name === "application/octet-stream" || !name.includes("/");
  if (!isUnsaid || head.includes("\0")) return "other";
  return HTML_START.test(head) ? "html" : "text";
}

function describeBytes(
  { isCut, body }: NetResponse,
  { invalidShare }: DecodedBody,
): readonly string[] {
  const cut = isCut ? [`only the first ${body.length} bytes of it were read`] : [];
  const share = `${Math.round(invalidShare * 100)} %`;
  return invalidShare > MAX_INVALID_SHARE
    ? [...cut, `${share} of its characters could not be decoded`]
    : cut;
}
