// What can go wrong with a picture.

import { type ImageFacts, ToolError } from "../../core/index.js";

export function imagesUnavailable(cause: unknown): ToolError {
  return new ToolError(
    "unavailable",
    "Images cannot be decoded: the package sharp is not installed, or changed since the start. Run `npm install sharp` and restart.",
    { reason: "images_unavailable", cause },
  );
}

export function imageInvalid(cause?: unknown): ToolError {
  return new ToolError("failed", "The image is damaged, cut off, or of a kind that is not known.", {
    reason: "image_invalid",
    cause,
  });
}

export function imageTooLarge({ width, height }: ImageFacts, why: string): ToolError {
  return new ToolError("limit", `The image has ${width}x${height} pixels: ${why}.`, {
    reason: "image_too_large",
    details: { width, height },
  });
}

export function imageTimeout(cause: unknown): ToolError {
  return new ToolError("timeout", "The image took too long to decode; make a smaller copy.", {
    reason: "image_timeout",
    cause,
  });
}
