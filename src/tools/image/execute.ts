// Asks the vision model about one image; without a model, hands the image to a caller that can look
// at it.

import { assertRegularFile, toBytes, toStat } from "../../core/files/index.js";
import {
  type Completion,
  imageResult,
  type Models,
  type ShownImage,
  ToolError,
  ToolInputError,
  textResult,
} from "../../core/index.js";
import { toPrintable } from "../../lib/printable.js";
import { readField, readNumber } from "../../lib/read-field.js";
import type { ImageCall } from "./index.js";

const DEFAULT_PROMPT = "Describe the image.";
const MAX_ANSWER_TOKENS = 1_024;
/** What every provider takes: the long edge in pixels, and bytes before base64. */
const LIMITS = { maxPixels: 100_000_000, maxSide: 1_568, maxBytes: 3_500_000 };

export async function execute(call: ImageCall) {
  const { params, ctx, signal } = call;
  const { models, images, vision = false } = ctx;
  const isAnswered =
    models !== undefined && (params.model ?? models.list("image")[0]) !== undefined;
  if (!isAnswered && !vision) {
    throw new ToolError(
      "unavailable",
      "No vision model is configured. Set agents.defaults.imageModel, or the API key of a provider whose models see.",
      { reason: "no_model" },
    );
  }
  if (images === undefined) {
    const message = "No image decoder is available. Install the package sharp.";
    throw new ToolError("unavailable", message, { reason: "images_unavailable" });
  }
  const loaded = await loadImage(call);
  const shown = await images.shrink({ bytes: loaded.bytes, limits: LIMITS, signal });
  if (!isAnswered) return attach(shown, loaded);
  return toResult(await ask(call, { models, shown }), { shown, loaded });
}

function ask(
  { params, signal }: ImageCall,
  { models, shown }: { readonly models: Models; readonly shown: ShownImage },
): Promise<Completion> {
  const { prompt = DEFAULT_PROMPT, model } = params;
  const { mimeType } = shown;
  return models.complete({
    purpose: "image",
    model,
    maxTokens: MAX_ANSWER_TOKENS,
    messages: [
      {
        role: "user",
        content: [
          { type: "image", data: toBase64(shown.bytes), mimeType },
          { type: "text", text: prompt },
        ],
      },
    ],
    signal,
  });
}

interface Seen {
  readonly shown: ShownImage;
  readonly loaded: LoadedImage;
}

function toResult({ text, model, failed }: Completion, { shown, loaded }: Seen) {
  const { width, height, bytes } = shown;
  const details = {
    ...{ model, image: loaded.name, width, height, bytes: bytes.byteLength },
    attempts: [...failed, { model }],
  };
  const result = textResult(text === "" ? `${model} gave no answer.` : text, details);
  const notices = failed.map((one) => `${one.error} ${model} was asked instead.`);
  return {
    ...result,
    ...(notices.length > 0 && { notices }),
    // The answer may repeat text that a stranger wrote into the picture.
    ...(loaded.isForeign && { untrusted: { source: loaded.name } }),
  };
}

function attach(shown: ShownImage, loaded: LoadedImage) {
  const { width, height, bytes, mimeType } = shown;
  const block = imageResult({
    label: "image",
    base64: toBase64(bytes),
    mimeType,
    extraText: "No vision model is configured; the image is attached for you to look at.",
  });
  const details = { image: loaded.name, width, height, bytes: bytes.byteLength, attempts: [] };
  return { ...block, details };
}

function toBase64({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString("base64");
}

const MEGABYTE = 1024 * 1024;
const DEFAULT_MAX_MB = 20;
const FETCH_TIMEOUT_MS = 60_000;
const DATA_URL = /^data:[^,]*;base64,(.+)$/s;
const MEDIA_LINE = /^\s*MEDIA:\s*/i;
const MAX_NAME_CHARS = 500;

interface LoadedImage {
  readonly bytes: Uint8Array;
  /** For results: the path or address, without the data of a data: URL. */
  readonly name: string;
  /** From the network. */
  readonly isForeign: boolean;
}

async function loadImage(call: ImageCall): Promise<LoadedImage> {
  const source = call.params.image.replace(MEDIA_LINE, "").trim();
  const maxBytes = readMaxBytes(call);
  if (source.startsWith("data:")) {
    const bytes = decodeDataUrl(source);
    assertSize(bytes.byteLength, { maxBytes, name: "The data: URL" });
    return { bytes, name: "data: URL", isForeign: false };
  }
  if (/^https?:\/\//i.test(source)) return fetchImage(call, { url: source, maxBytes });
  return readImage(call, { filePath: source.replace(/^file:\/\//, ""), maxBytes });
}

/** The smaller of the argument and `agents.defaults.mediaMaxMb`. */
function readMaxBytes({ params, ctx }: ImageCall): number {
  const defaults = readField(readField(ctx.config, "agents"), "defaults");
  const configured = readNumber(defaults, "mediaMaxMb") ?? DEFAULT_MAX_MB;
  return Math.min(params.maxBytesMb ?? configured, configured) * MEGABYTE;
}

async function fetchImage(
  { ctx, signal }: ImageCall,
  { url, maxBytes }: { readonly url: string; readonly maxBytes: number },
): Promise<LoadedImage> {
  if (ctx.net === undefined)
    throw new ToolError("unavailable", "Network access is not available here.");
  const limits = { maxBytes, timeoutMs: FETCH_TIMEOUT_MS };
  const response = await ctx.net.fetch({ url, limits, signal, headers: { accept: "image/*" } });
  const name = toPrintable(url, MAX_NAME_CHARS);
  if (response.status !== 200) {
    throw new ToolError("failed", `${name} answered with HTTP ${response.status}.`, {
      reason: "image_not_loaded",
    });
  }
  if (response.isCut) throw tooLarge(name, maxBytes);
  return { bytes: response.body, name, isForeign: true };
}

async function readImage(
  { ctx, signal }: ImageCall,
  { filePath, maxBytes }: { readonly filePath: string; readonly maxBytes: number },
): Promise<LoadedImage> {
  const { bridge } = ctx;
  if (bridge === undefined) {
    throw new ToolError("unavailable", "Files are not available here. Give a URL or a data: URL.", {
      reason: "missing_context",
    });
  }
  const name = toPrintable(filePath, MAX_NAME_CHARS);
  const stat = toStat(await bridge.stat({ filePath, signal }), filePath);
  assertRegularFile(stat, filePath);
  assertSize(stat.size, { maxBytes, name });
  const bytes = toBytes(await bridge.readFile({ filePath, signal }), filePath);
  assertSize(bytes.byteLength, { maxBytes, name });
  return { bytes, name, isForeign: false };
}

function decodeDataUrl(url: string): Uint8Array {
  const data = DATA_URL.exec(url)?.[1];
  if (data === undefined) {
    throw new ToolInputError("The data: URL is not base64. Write data:image/png;base64,…", {
      reason: "data_url_invalid",
    });
  }
  return Buffer.from(data, "base64");
}

function assertSize(bytes: number, { maxBytes, name }: { maxBytes: number; name: string }): void {
  if (bytes > maxBytes) throw tooLarge(name, maxBytes);
}

function tooLarge(name: string, maxBytes: number): ToolError {
  const megabytes = Math.round((maxBytes / MEGABYTE) * 100) / 100;
  return new ToolError("limit", `${name} is larger than ${megabytes} MB. Use a smaller copy.`, {
    reason: "image_too_large",
  });
}
