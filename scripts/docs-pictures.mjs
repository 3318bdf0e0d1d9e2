// Takes the pictures of docs/browser-snapshots.md with the tool itself: a test page, plain and with
// numbered elements.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import sharp from "sharp";
import { callWell, textOf, withBrowsers } from "../bench/measure/browser-setting.mjs";

/** They are part of the package. */
const MAX_BYTES = 40_000;
const WEBP = { nearLossless: true, quality: 40, effort: 6 };
const WIDTH = 900;
const HEIGHT = 560;
const PICTURES = [
  { name: "browser-page", more: {} },
  { name: "browser-labels", more: { labels: true } },
];

const folder = fileURLToPath(new URL("../docs/pictures/", import.meta.url));

await withBrowsers(async ({ server, openOurs }) => {
  mkdirSync(folder, { recursive: true });
  const hands = await openOurs();
  await callWell(hands, { action: "open", targetUrl: `${server.base}/shop` });
  await callWell(hands, { action: "act", kind: "resize", width: WIDTH, height: HEIGHT });
  await callWell(hands, { action: "act", kind: "wait", text: "90 products" });
  for (const { name, more } of PICTURES) {
    const shot = await callWell(hands, { action: "screenshot", ...more });
    const made = /MEDIA:(\S+)/.exec(textOf(shot))?.[1];
    if (made === undefined) throw new Error(`No picture in the answer: ${textOf(shot)}`);
    const file = `${name}.webp`;
    const { size } = await sharp(made).webp(WEBP).toFile(join(folder, file));
    if (size > MAX_BYTES) throw new Error(`${file} has ${size} bytes; at most ${MAX_BYTES}.`);
    console.log(`docs/pictures/${file}: ${size} bytes`);
  }
});
