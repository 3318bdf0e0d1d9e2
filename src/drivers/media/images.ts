// `createImages`: the port for pictures. What decodes them is loaded at the first picture.

import type { Images } from "../../core/index.js";
import { lazy } from "../../lib/lazy.js";

export interface ImagesOptions {
  readonly loadDecoder?: () => unknown;
}

export function createImages({ loadDecoder }: ImagesOptions = {}): Images {
  const load = lazy(() => loadImages(loadDecoder));
  return {
    probe: async (request) => (await load()).probe(request),
    shrink: async (request) => (await load()).shrink(request),
  };
}

async function loadImages(loadDecoder: ImagesOptions["loadDecoder"]): Promise<Images> {
  const { createSharpImages } = await import("./sharp-images.js");
  return createSharpImages(loadDecoder);
}
