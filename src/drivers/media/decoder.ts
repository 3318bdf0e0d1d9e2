// The optional package that decodes pictures, found or not found at run time.

import type { Sharp, SharpOptions } from "sharp";
import { imagesUnavailable } from "./errors.js";

/** Not a literal, so that no bundler takes the package in. */
const PACKAGE: string = "sharp";

export type OpenImage = (input: Uint8Array, options?: SharpOptions) => Sharp;

export function importSharp(): Promise<unknown> {
  return import(PACKAGE);
}

/** Throws `unavailable` when there is none. */
export async function loadDecoder(importDecoder: () => Promise<unknown>): Promise<OpenImage> {
  const loaded = await importDecoder().catch((error: unknown) => {
    throw imagesUnavailable(error);
  });
  const given: unknown =
    typeof loaded === "object" && loaded !== null ? Reflect.get(loaded, "default") : undefined;
  if (typeof given !== "function") throw imagesUnavailable(undefined);
  // The package has no schema to read it with; its own types say what its main function is.
  return given as OpenImage;
}
