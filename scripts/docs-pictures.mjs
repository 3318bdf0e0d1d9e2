// Takes the pictures of docs/browser-snapshots.md with the tool itself: a test page, plain and with
// numbered elements.
import { copyFileSync, mkdirSync, statSync } from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { callWell, textOf, withBrowsers } from "../bench/measure/browser-setting.mjs";

const MAX_BYTES = 100_000;
const WIDTH = 900;
const HEIGHT = 560;
const PICTURES = [
  { name: "browser-page", more: { type: "jpeg" } },
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
    const file = `${name}${extname(made)}`;
    const { size } = statSync(made);
    if (size > MAX_BYTES) throw new Error(`${file} has ${size} bytes; at most ${MAX_BYTES}.`);
    copyFileSync(made, join(folder, file));
    console.log(`docs/pictures/${file}: ${size} bytes`);
  }
});
