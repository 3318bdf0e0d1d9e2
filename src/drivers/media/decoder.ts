// The optional package that decodes pictures, found or not found at run time.

import type { Sharp, SharpOptions } from "sharp";
import { loadPackage } from "../../lib/system/load-package.js";
import { imagesUnavailable } from "./errors.js";

export type OpenImage = (input: Uint8Array, options?: SharpOptions) => Sharp;

export const loadSharp = (): unknown => loadPackage("sharp");

/** Throws `unavailable` when there is none. */
export function openDecoder(load: () => unknown): OpenImage {
  try {
    // The package has no schema to read it with; its own types say what its main function is.
    return load() as OpenImage;
  } catch (error) {
    throw imagesUnavailable(error);
  }
}
