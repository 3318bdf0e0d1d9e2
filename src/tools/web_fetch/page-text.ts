// From an answer of the network to text, by what it holds: HTML, JSON, PDF, plain text.

import { type NetResponse, ToolError } from "../../core/index.js";
import { toPrintable } from "../../lib/printable.js";
import { type DecodedBody, decodeBody, dropUnseen } from "./charset.js";
import { type HtmlRequest, type Onward, readHtml } from "./html-page.js";
import { formatJson } from "./json.js";
import { runOffThread, tryOffThread } from "./off-thread.js";
import { MAX_KEPT_CHARS } from "./settings.js";
import type { JsonText, PdfText } from "./worker.js";

/** By the first word of the type: the rest of it may be made up of words. */
const BY_FAMILY: ReadonlyMap<string, string> = new Map([
  ["image", "an image"],
  ["audio", "audio"],
  ["video", "a video"],
  ["font", "a font"],
]);

const MAX_CHARS_HERE = 300_000;
const JSON_TIMEOUT_MS = 5_000;
const NO_JSON = "it is called JSON and is not valid JSON";
const TOO_LARGE = `only its first ${MAX_KEPT_CHARS} characters were kept`;
const PDF_TIMEOUT_MS = 20_000;
const MAX_INVALID_SHARE = 0.01;
const SNIFF_BYTES = 512;
const HTML_START =
  /^\s*(?:<!--[\s\S]{0,300}?-->\s*)?<(?:!doctype\s+html|html|head|body|title|meta|h1|div|p|table)[\s>]/i;

interface PageFacts {
  readonly pageKind?: string;
  readonly coverage?: number;
  readonly hiddenChars?: number;
  readonly visibleChars?: number;
  readonly charset?: string;
  readonly pages?: number;
  readonly threadProblem?: string;
}

export interface PageText {
  readonly text: string;
  readonly title: string;
  readonly extractor: string;
  readonly facts: PageFacts;
  readonly warnings: readonly string[];
  readonly onward?: Onward;
}

export interface PageRequest
  extends Pick<HtmlRequest, "mode" | "includesHidden" | "takesMainPart" | "signal" | "offers"> {
  readonly response: NetResponse;
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

async function readPdfPage(request: {
  readonly response: NetResponse;
  readonly signal: AbortSignal;
}): Promise<PageText> {
  const { response, signal } = request;
  if (response.isCut) {
    throw new ToolError(
      "limit",
      `The PDF is larger than the ${response.body.length} bytes that are read; raise tools.web.fetch.maxResponseBytes.`,
      { reason: "page_too_large" },
    );
  }
  const job = { kind: "pdf", bytes: response.body } as const;
  // The thread runs `pdf` of the same module, so its answer has that shape.
  const { text, title, pages } = (await runOffThread({
    job,
    timeoutMs: PDF_TIMEOUT_MS,
    signal,
  })) as PdfText;
  const warnings =
    text === "" ? [`none of its ${pages} pages holds text; they may be scanned pictures`] : [];
  return { text, title, extractor: "pdf", facts: { pages }, warnings };
}

interface PlainRequest {
  readonly source: string;
  readonly content: "json" | "text";
  readonly signal: AbortSignal;
}

async function readPlain({ source, content, signal }: PlainRequest): Promise<PageText> {
  const format = content === "json" ? await formatPatiently(source, signal) : undefined;
  const pretty = format?.text;
  const isLarge = (pretty ?? source).length >= MAX_KEPT_CHARS;
  return {
    text: pretty ?? source.slice(0, MAX_KEPT_CHARS).trimEnd(),
    title: "",
    extractor: pretty === undefined ? "raw" : "json",
    facts: {},
    warnings: [
      ...(format !== undefined && pretty === undefined ? [NO_JSON] : []),
      ...(isLarge ? [TOO_LARGE] : []),
    ],
  };
}

/** undefined when a thread took too long over it. */
async function formatPatiently(source: string, signal: AbortSignal): Promise<JsonText | undefined> {
  if (source.length <= MAX_CHARS_HERE) return { text: formatJson(source) };
  const job = { kind: "json", source } as const;
  const tried = await tryOffThread({ job, timeoutMs: JSON_TIMEOUT_MS, signal });
  // The thread runs `json` of the same module, so its answer has that shape.
  return "answer" in tried ? (tried.answer as JsonText) : undefined;
}

function notText(answer: {
  readonly response: NetResponse;
  readonly asked: string;
  readonly contentType: string;
}): ToolError {
  const { response, asked, contentType } = answer;
  const bytes = response.body.length;
  return new ToolError(
    "failed",
    `${toPrintable(asked)} is ${nameKind(contentType)} (${bytes} bytes), which web_fetch cannot show as text.`,
    { reason: "content_not_text", details: { contentType, bytes, url: response.url } },
  );
}

function nameKind(contentType: string): string {
  const [family = ""] = contentType.trim().toLowerCase().split("/");
  return BY_FAMILY.get(family) ?? "of another kind";
}
