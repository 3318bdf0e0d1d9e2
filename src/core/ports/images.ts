// The port for looking at pictures: what one is, and a copy that a model can take in.

/** What the header of an image says; nothing is decoded for it. */
export interface ImageFacts {
  /** By its bytes: "image/png". */
  readonly mimeType: string;
  /** Pixels, the way the image is meant to be looked at: turned as its orientation says. */
  readonly width: number;
  readonly height: number;
  /** More than 1 for animations and documents of several pages. */
  readonly frames: number;
}

export interface ImageLimits {
  /** Pixels of the original, all frames but the first left out. Judged before it is decoded. */
  readonly maxPixels: number;
  /** Pixels a side of the copy. */
  readonly maxSide: number;
  /** Bytes of the copy. */
  readonly maxBytes: number;
}

export interface ShownImage extends Pick<ImageFacts, "mimeType" | "width" | "height"> {
  /** The very bytes of the original when it could stay as it is. */
  readonly bytes: Uint8Array;
  readonly original: ImageFacts;
}

export interface ImageRequest {
  readonly bytes: Uint8Array;
  readonly signal: AbortSignal;
}

/** Both throw a ToolError. */
export interface Images {
  probe(request: ImageRequest): Promise<ImageFacts>;
  /** The first frame, upright, within the limits; png, jpeg, gif or webp. */
  shrink(request: ImageRequest & { readonly limits: ImageLimits }): Promise<ShownImage>;
}
