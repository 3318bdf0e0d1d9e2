// Pictures made by the decoder itself, and damaged, huge or odd ones, through the port.

import sharp, { type Sharp } from "sharp";
import { describe, expect, it } from "vitest";
import { seededRandom } from "../../../test/fakes/campaign.js";
import type { ImageLimits } from "../../core/index.js";
import { createImages } from "./index.js";

const LIMITS: ImageLimits = { maxPixels: 100_000_000, maxSide: 200, maxBytes: 100_000 };
const { signal } = new AbortController();
const images = createImages();

const shrink = (bytes: Uint8Array, limits: Partial<ImageLimits> = {}) =>
  images.shrink({ bytes, signal, limits: { ...LIMITS, ...limits } });
const probe = (bytes: Uint8Array) => images.probe({ bytes, signal });

/** Red on the left, blue on the right, a green bar at the top: every turn of it looks different. */
function makePicture(width: number, height: number): Sharp {
  const part = (box: { width: number; height: number }, background: string) => ({
    create: { ...box, channels: 3 as const, background },
  });
  const half = Math.floor(width / 2);
  return sharp(part({ width, height }, "#ff0000")).composite([
    { input: part({ width: width - half, height }, "#0000ff"), left: half, top: 0 },
    { input: part({ width, height: Math.floor(height / 4) }, "#00ff00"), left: 0, top: 0 },
  ]);
}

/** Noise, which no encoder makes small. */
function makeNoise(width: number, height: number, channels: 3 | 4): Sharp {
  const random = seededRandom(1);
  const data = Buffer.alloc(width * height * channels).map(() => Math.floor(random() * 256));
  return sharp(data, { raw: { width, height, channels } });
}

async function colourAt(bytes: Uint8Array, place: { x: number; y: number }): Promise<string> {
  const { data, info } = await sharp(bytes)
    .removeAlpha()
    .toColourspace("srgb")
    .raw()
    .toBuffer({ resolveWithObject: true });
  const start =
    (Math.floor(place.y * info.height) * info.width + Math.floor(place.x * info.width)) * 3;
  const [red = 0, green = 0, blue = 0] = data.subarray(start, start + 3);
  if (red > 200) return "red";
  if (green > 200) return "green";
  return blue > 200 ? "blue" : "other";
}

/** A PNG that says it has so many pixels, in a few bytes. */
async function claimSize(width: number, height: number): Promise<Buffer> {
  const { crc32 } = await import("node:zlib");
  const bytes = await makePicture(20, 20).png().toBuffer();
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  bytes.writeUInt32BE(crc32(bytes.subarray(12, 29)), 29);
  return bytes;
}

describe("an image that fits", () => {
  it.each(["png", "jpeg", "gif", "webp"] as const)("of kind %s stays as it is", async (kind) => {
    const bytes = await makePicture(60, 40).toFormat(kind).toBuffer();
    const shown = await shrink(bytes);
    expect(shown.bytes).toBe(bytes);
    const facts = { mimeType: `image/${kind}`, width: 60, height: 40 };
    expect(shown).toMatchObject({ ...facts, original: { ...facts, frames: 1 } });
    expect(await probe(bytes)).toEqual({ ...facts, frames: 1 });
  });

  it.each(["avif", "tiff"] as const)("of kind %s is shown as another kind", async (kind) => {
    const bytes = await makePicture(60, 40).toFormat(kind).toBuffer();
    const shown = await shrink(bytes);
    expect(shown.mimeType).toMatch(/^image\/(?:png|jpeg)$/);
    expect(shown).toMatchObject({ width: 60, height: 40, original: { mimeType: `image/${kind}` } });
    expect(await colourAt(shown.bytes, { x: 0.2, y: 0.6 })).toBe("red");
  });
});

describe("an image that does not fit", () => {
  it("is made smaller, with its proportions", async () => {
    const shown = await shrink(await makePicture(800, 400).png().toBuffer());
    expect(shown).toMatchObject({
      mimeType: "image/png",
      width: 200,
      height: 100,
      original: { width: 800, height: 400 },
    });
    expect(await sharp(shown.bytes).metadata()).toMatchObject({ width: 200, height: 100 });
  });

  it("stays a JPEG when it was one", async () => {
    const shown = await shrink(await makePicture(800, 400).jpeg().toBuffer());
    expect(shown.mimeType).toBe("image/jpeg");
  });

  it("loses quality, then pixels, until its bytes fit", async () => {
    const bytes = await makeNoise(200, 200, 3).png().toBuffer();
    const lossy = await shrink(bytes, { maxBytes: 30_000 });
    expect(lossy).toMatchObject({ mimeType: "image/jpeg", width: 200 });
    expect(lossy.bytes.length).toBeLessThanOrEqual(30_000);
    const small = await shrink(bytes, { maxBytes: 6_000 });
    expect(small.bytes.length).toBeLessThanOrEqual(6_000);
    expect(small.width).toBeLessThan(200);
    await expect(shrink(bytes, { maxBytes: 100 })).rejects.toMatchObject({
      code: "limit",
      reason: "image_too_large",
    });
  });

  it("keeps its transparency when it can", async () => {
    const clear = sharp({
      create: {
        width: 400,
        height: 400,
        channels: 4,
        background: { r: 0, g: 0, b: 255, alpha: 0.5 },
      },
    });
    const shown = await shrink(await clear.webp().toBuffer());
    expect(shown.mimeType).toBe("image/png");
    expect(await sharp(shown.bytes).metadata()).toMatchObject({ hasAlpha: true, width: 200 });
  });
});

describe("an image with an orientation", () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])("of %i is shown upright", async (orientation) => {
    const turned = await makePicture(80, 40).jpeg().withMetadata({ orientation }).toBuffer();
    const upright = await sharp(turned).autoOrient().png().toBuffer();
    const shown = await shrink(turned);
    const expected = orientation > 4 ? { width: 40, height: 80 } : { width: 80, height: 40 };
    expect(shown).toMatchObject({ ...expected, original: expected });
    for (const x of [0.1, 0.4, 0.6, 0.9]) {
      for (const y of [0.1, 0.4, 0.6, 0.9]) {
        expect(await colourAt(shown.bytes, { x, y })).toBe(await colourAt(upright, { x, y }));
      }
    }
    expect((await sharp(shown.bytes).metadata()).orientation ?? 1).toBe(1);
  });

  it("is measured the way it is looked at", async () => {
    const bytes = await makePicture(80, 40).jpeg().withMetadata({ orientation: 6 }).toBuffer();
    expect(await probe(bytes)).toMatchObject({ width: 40, height: 80 });
  });
});

describe("an odd image", () => {
  it("of CMYK is shown in red, green and blue", async () => {
    const bytes = await makePicture(60, 40).toColourspace("cmyk").jpeg().toBuffer();
    expect(await sharp(bytes).metadata()).toMatchObject({ space: "cmyk" });
    const shown = await shrink(bytes);
    expect(await sharp(shown.bytes).metadata()).toMatchObject({ space: "srgb", channels: 3 });
    expect(await colourAt(shown.bytes, { x: 0.2, y: 0.6 })).toBe("red");
  });

  it("of 16 bits is shown with 8", async () => {
    const bytes = await makePicture(60, 40).toColourspace("rgb16").png().toBuffer();
    expect(await sharp(bytes).metadata()).toMatchObject({ depth: "ushort" });
    const shown = await shrink(bytes);
    expect(await sharp(shown.bytes).metadata()).toMatchObject({ depth: "uchar", width: 60 });
  });

  it("in shades of grey keeps its look", async () => {
    const bytes = await makePicture(400, 400).greyscale().png().toBuffer();
    expect((await shrink(bytes)).width).toBe(200);
  });

  it("that moves is shown by its first frame", async () => {
    const frame = (background: string) =>
      sharp({ create: { width: 30, height: 20, channels: 3, background } })
        .png()
        .toBuffer();
    const bytes = await sharp([await frame("#ff0000"), await frame("#0000ff")], {
      join: { animated: true },
    })
      .gif()
      .toBuffer();
    expect(await probe(bytes)).toMatchObject({ frames: 2, width: 30, height: 20 });
    const shown = await shrink(bytes);
    expect(shown).toMatchObject({ mimeType: "image/png", width: 30, original: { frames: 2 } });
    expect(await colourAt(shown.bytes, { x: 0.5, y: 0.5 })).toBe("red");
  });
});

describe("an image that cannot be shown", () => {
  it("is refused for its pixels before anything is decoded", async () => {
    const before = process.memoryUsage().rss;
    const bytes = await claimSize(30_000, 30_000);
    expect(bytes.length).toBeLessThan(5_000);
    await expect(shrink(bytes)).rejects.toMatchObject({
      code: "limit",
      reason: "image_too_large",
      details: { width: 30_000, height: 30_000 },
    });
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
  });

  it.each(["png", "jpeg", "webp"] as const)("is refused when a %s is cut off", async (kind) => {
    const bytes = await makeNoise(150, 150, 3).toFormat(kind).toBuffer();
    for (const share of [0.01, 0.5, 0.9]) {
      const part = bytes.subarray(0, Math.ceil(bytes.length * share));
      await expect(shrink(part), `${share}`).rejects.toMatchObject({
        code: "failed",
        reason: "image_invalid",
      });
    }
  });

  it.each([
    ["nothing", Buffer.alloc(0)],
    ["text", Buffer.from("not an image")],
    ["a drawing", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
    ["the first bytes of a PNG", Buffer.from("89504e470d0a1a0a00", "hex")],
  ])("is refused when it is %s", async (_what, bytes) => {
    await expect(shrink(bytes)).rejects.toMatchObject({ reason: "image_invalid" });
    await expect(probe(bytes)).rejects.toMatchObject({ reason: "image_invalid" });
  });
});

it("with more bytes a pixel than usual may have fewer pixels", async () => {
  const limits = { ...LIMITS, maxPixels: 3_000 };
  const deep = await makePicture(60, 40).ensureAlpha().toColourspace("rgb16").png().toBuffer();
  await expect(images.shrink({ bytes: deep, limits, signal })).rejects.toMatchObject({
    code: "limit",
    reason: "image_too_large",
  });
  const plain = await makePicture(60, 40).ensureAlpha().png().toBuffer();
  expect(await images.shrink({ bytes: plain, limits, signal })).toMatchObject({ width: 60 });
});

describe("the decoder", () => {
  it.each([
    ["is not installed", "Cannot find package 'sharp'"],
    ["moved since the start", "sharp, or a package it needs, moved since this process started."],
  ])("that %s is told as unavailable, with what to install", async (_what, problem) => {
    const none = createImages({
      loadDecoder() {
        throw new Error(problem);
      },
    });
    const bytes = Buffer.from("x");
    await expect(none.probe({ bytes, signal })).rejects.toMatchObject({
      code: "unavailable",
      reason: "images_unavailable",
      message: expect.stringContaining("`npm install sharp` and restart"),
    });
  });

  it("is left at once when the caller gives up", async () => {
    const bytes = await makePicture(900, 900).png().toBuffer();
    const request = { bytes, limits: LIMITS };
    const gone = AbortSignal.abort();
    await expect(images.shrink({ ...request, signal: gone })).rejects.toMatchObject({
      name: "AbortError",
    });
    const controller = new AbortController();
    const call = images.shrink({ ...request, signal: controller.signal });
    controller.abort();
    await expect(call).rejects.toMatchObject({ name: "AbortError" });
  });
});
