// Asks the vision model about one image; without a model, hands the image to a caller that can look
// at it.

import {
  type Completion,
  imageResult,
  type Models,
  type ShownImage,
  ToolError,
  type ToolResult,
  textResult,
} from "../../core/index.js";
import type { ImageCall } from "./index.js";
import { type LoadedImage, loadImage } from "./load-image.js";

const DEFAULT_PROMPT = "Describe the image.";
const MAX_ANSWER_TOKENS = 1_024;
/** What every provider takes: the long edge in pixels, and bytes before base64. */
const LIMITS = { maxPixels: 100_000_000, maxSide: 1_568, maxBytes: 3_500_000 };

export async function execute(call: ImageCall): Promise<ToolResult> {
  const { params, ctx, signal } = call;
  const { models, images, vision = false } = ctx;
  const isAnswered =
    models !== undefined && (params.model ?? models.list("image")[0]) !== undefined;
  if (!isAnswered && !vision) throw noVisionModel();
  if (images === undefined) throw noDecoder();
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

function toResult({ text, model, failed }: Completion, { shown, loaded }: Seen): ToolResult {
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

function attach(shown: ShownImage, loaded: LoadedImage): ToolResult {
  const { width, height, bytes, mimeType } = shown;
  return imageResult({
    label: "image",
    base64: toBase64(bytes),
    mimeType,
    extraText: "No vision model is configured; the image is attached for you to look at.",
    details: { image: loaded.name, width, height, bytes: bytes.byteLength, attempts: [] },
  });
}

function toBase64({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString("base64");
}

function noVisionModel(): ToolError {
  return new ToolError(
    "unavailable",
    "No vision model is configured. Set agents.defaults.imageModel, or the API key of a provider whose models see.",
    { reason: "no_model" },
  );
}

function noDecoder(): ToolError {
  return new ToolError("unavailable", "No image decoder is available. Install the package sharp.", {
    reason: "images_unavailable",
  });
}
