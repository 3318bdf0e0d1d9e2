// A decoded picture turned the way it is meant to be looked at.

import type { OutputInfo } from "sharp";
import type { OpenImage } from "./decoder.js";

export interface Picture {
  /** Pixel after pixel. */
  readonly data: Buffer;
  readonly info: Pick<OutputInfo, "width" | "height" | "channels">;
}

interface Turn {
  /** Left and right, up and down are exchanged before the turn. */
  readonly mirror?: "horizontal" | "vertical";
  /** Clockwise. */
  readonly degrees?: 90 | 180 | 270;
}

/** By the number of the EXIF tag. */
const TURNS: Readonly<Record<number, Turn>> = {
  2: { mirror: "horizontal" },
  3: { degrees: 180 },
  4: { mirror: "vertical" },
  5: { mirror: "horizontal", degrees: 270 },
  6: { degrees: 90 },
  7: { mirror: "horizontal", degrees: 90 },
  8: { degrees: 270 },
};

export async function turnUpright(
  open: OpenImage,
  { data, info, orientation }: Picture & { readonly orientation: number },
): Promise<Picture> {
  const turn = TURNS[orientation];
  if (!turn) return { data, info };
  const { width, height, channels } = info;
  const image = open(data, { raw: { width, height, channels } });
  if (turn.mirror === "horizontal") image.flop();
  if (turn.mirror === "vertical") image.flip();
  if (turn.degrees !== undefined) image.rotate(turn.degrees);
  return image.raw().toBuffer({ resolveWithObject: true });
}
