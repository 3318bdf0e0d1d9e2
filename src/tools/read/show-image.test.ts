// What `read` shows of pictures, and what it says of those that it does not show.

import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { createOpeningBridge, READ_ROOT } from "../../../test/contract/read-bridges.js";
import { bindAlone } from "../../../test/fakes/resolve-tool.js";
import { type Images, type ToolContext, ToolError } from "../../core/index.js";
import { read } from "./index.js";

const NO_DECODER: Images = {
  probe: () => Promise.reject(unavailable()),
  shrink: () => Promise.reject(unavailable()),
};

function unavailable(): ToolError {
  return new ToolError("unavailable", "No decoder; run `npm install sharp`.", {
    reason: "images_unavailable",
  });
}

const makeImage = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: "#336699" } });

async function readImage(bytes: Buffer, given: { name?: string; ctx?: ToolContext } = {}) {
  const { name = "photo.txt", ctx = {} } = given;
  const bridge = createOpeningBridge({ [name]: bytes });
  const tool = bindAlone(read, { bridge, root: READ_ROOT, ...ctx });
  const result = await tool.execute("call", { path: name });
  const [note, image] = result.content;
  return {
    ...result,
    text: note?.type === "text" ? note.text : "",
    image: image?.type === "image" ? image : undefined,
  };
}

describe("read of an image", () => {
  it.each(["png", "jpeg", "gif", "webp"] as const)(
    "gives a small %s as it is, whatever its name says",
    async (kind) => {
      const bytes = await makeImage(60, 40).toFormat(kind).toBuffer();
      const { text, image, details, isError } = await readImage(bytes);
      expect(isError).toBeUndefined();
      expect(text).toBe(`Image photo.txt (image/${kind}, 60x40, ${bytes.length} bytes).`);
      expect(image).toEqual({
        type: "image",
        data: bytes.toString("base64"),
        mimeType: `image/${kind}`,
      });
      expect(details).toMatchObject({ kind: "image", mimeType: `image/${kind}`, width: 60 });
    },
  );

  it("makes a large one at most 2000 pixels wide, and tells the factor", async () => {
    const bytes = await makeImage(5_000, 2_500).jpeg().toBuffer();
    const { text, image, details } = await readImage(bytes);
    expect(text).toBe(
      `Image photo.txt (image/jpeg, 5000x2500, ${bytes.length} bytes). Shown at 2000x1000 (image/jpeg); multiply coordinates by 2.5 for the original.`,
    );
    const shown = await sharp(Buffer.from(image?.data ?? "", "base64")).metadata();
    expect(shown).toMatchObject({ width: 2_000, height: 1_000, format: "jpeg" });
    expect(details).toMatchObject({
      width: 5_000,
      height: 2_500,
      totalBytes: bytes.length,
      shown: { width: 2_000, height: 1_000 },
    });
  });

  it("turns a photo upright and tells its upright size", async () => {
    const bytes = await makeImage(60, 40).jpeg().withMetadata({ orientation: 6 }).toBuffer();
    const { text, image } = await readImage(bytes);
    expect(text).toBe(
      `Image photo.txt (image/jpeg, 40x60, ${bytes.length} bytes). Shown as a copy (image/jpeg).`,
    );
    const shown = await sharp(Buffer.from(image?.data ?? "", "base64")).metadata();
    expect(shown).toMatchObject({ width: 40, height: 60 });
  });

  it("keeps the base64 text of what it shows under 4.5 MiB", async () => {
    const noise = Buffer.alloc(1_900 * 1_900 * 3);
    for (let index = 0; index < noise.length; index++) noise[index] = (index * index) >>> 7;
    const raw = { width: 1_900, height: 1_900, channels: 3 as const };
    const bytes = await sharp(noise, { raw }).png({ compressionLevel: 0 }).toBuffer();
    expect(bytes.length).toBeGreaterThan(10_000_000);
    const { image } = await readImage(bytes);
    expect(image?.data.length).toBeLessThanOrEqual(4.5 * 1024 * 1024);
  });

  it("says which frame of an animation is shown", async () => {
    const frames = [
      await makeImage(30, 20).png().toBuffer(),
      await makeImage(30, 20).negate().png().toBuffer(),
    ];
    const bytes = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer();
    expect((await readImage(bytes)).text).toContain("The first of 2 frames is shown.");
  });
});

describe("read of an image that is not shown", () => {
  it("names a damaged one", async () => {
    const bytes = (await makeImage(60, 40).png().toBuffer()).subarray(0, 60);
    const { text, image, details, isError } = await readImage(bytes);
    expect(text).toMatch(
      /^photo\.txt is an image \(image\/png, 60 bytes\) and is not shown: The image is damaged/,
    );
    expect(image).toBeUndefined();
    expect(isError).toBeUndefined();
    expect(details).toMatchObject({ kind: "image", truncated: true, totalBytes: 60 });
  });

  it.each([
    ["image/heic", Buffer.from("\0\0\0\x20ftypheic\0\0\0\0")],
    ["image/bmp", Buffer.from("BM\x9a\0\0\0\0\0\0\0\x36\0\0\0")],
    ["image/x-icon", Buffer.from("\0\0\x01\0\x01\0\x10\x10\0\0")],
    ["image/jls", Buffer.from("ffd8fff7000b", "hex")],
  ])("names %s, which no decoder here knows", async (mimeType, bytes) => {
    const { text, details } = await readImage(bytes);
    expect(text).toBe(
      `photo.txt is an image (${mimeType}, ${bytes.length} bytes) and is not shown: this kind cannot be decoded here. Convert it to PNG and read that.`,
    );
    expect(details).toMatchObject({ kind: "image", mimeType });
  });

  it("does not read one that is over 64 MiB", async () => {
    const size = 64 * 1024 * 1024 + 1;
    const head = await makeImage(9, 9).png().toBuffer();
    const bridge = createOpeningBridge({ "big.png": { size, give: (into) => into.set(head) } });
    const tool = bindAlone(read, { bridge, root: READ_ROOT });
    const { content } = await tool.execute("call", { path: "big.png" });
    expect(content).toHaveLength(1);
    expect(content[0]).toMatchObject({
      text: expect.stringContaining("at most 67108864 bytes are decoded"),
    });
    expect(bridge.bytesRead()).toBe(64 * 1024);
  });

  it("passes on what is not about the image", async () => {
    const shrink = () => Promise.reject(new Error("out of order"));
    const images = { probe: shrink, shrink };
    const { isError } = await readImage(await makeImage(9, 9).png().toBuffer(), {
      ctx: { images },
    });
    expect(isError).toBe(true);
  });
});

describe("read of an image without a decoder", () => {
  const ctx = { images: NO_DECODER };

  it.each(["png", "jpeg", "gif"] as const)("shows a small, whole %s", async (kind) => {
    const bytes = await makeImage(60, 40).toFormat(kind).toBuffer();
    const { text, image } = await readImage(bytes, { ctx });
    expect(text).toBe(`Image photo.txt (image/${kind}, 60x40, ${bytes.length} bytes).`);
    expect(image?.data).toBe(bytes.toString("base64"));
  });

  it.each([
    ["too wide", () => makeImage(2_001, 9).png().toBuffer()],
    ["cut off", async () => (await makeImage(60, 40).jpeg().toBuffer()).subarray(0, -9)],
    ["not upright", () => makeImage(9, 9).jpeg().withMetadata({ orientation: 6 }).toBuffer()],
    ["of a kind that is not told", () => makeImage(9, 9).webp().toBuffer()],
  ])("names one that is %s, and what to install", async (_what, make) => {
    const { text, image } = await readImage(await make(), { ctx });
    expect(text).toContain("and is not shown: No decoder; run `npm install sharp`.");
    expect(image).toBeUndefined();
  });
});
