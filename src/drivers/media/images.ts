// `createImages`: the port for pictures. What decodes them is imported at the first picture.

import type { Images } from "../../core/index.js";

export interface ImagesOptions {
  /** Where the decoder comes from; by default the optional package `sharp`. */
  readonly importDecoder?: () => Promise<unknown>;
}

/** Nothing has to be closed. */
export function createImages({ importDecoder }: ImagesOptions = {}): Images {
  let loading: Promise<Images> | undefined;
  const load = () => {
    // A package that is installed later is found later.
    loading ??= loadImages(importDecoder).catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
  return {
    probe: async (request) => (await load()).probe(request),
    shrink: async (request) => (await load()).shrink(request),
  };
}

async function loadImages(importDecoder: ImagesOptions["importDecoder"]): Promise<Images> {
  const { createSharpImages } = await import("./sharp-images.js");
  return createSharpImages(importDecoder);
}
