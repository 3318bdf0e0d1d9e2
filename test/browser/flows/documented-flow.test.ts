// The order of work that the tool's guidance gives: status, start, snapshot, act, screenshot; and the
// end, after which nothing runs.
import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { useFlow } from "./flow-setting.js";

const flow = useFlow();

test("242, 243, 386 · status, start, snapshot, act, screenshot, stop go one after the other", async () => {
  const before = await flow.call({ action: "status" });
  expect(before).toMatchObject({ isError: false, details: { running: false } });

  const started = await flow.call({ action: "start" });
  expect(started).toMatchObject({ isError: false, details: { running: true } });

  await flow.call({ action: "open", targetUrl: `${flow.server.base}/covered` });
  const snapshot = await flow.call({ action: "snapshot" });
  expect(snapshot.text).toMatch(/button "Accept all" \[ref=e\d+\]/);
  expect(snapshot.details).toMatchObject({ stats: { tokens: expect.any(Number) } });

  const ref = await flow.ref("button", "Accept all");
  const acted = await flow.act({ kind: "click", ref });
  expect(acted.isError).toBe(false);
  expect(acted.text).toContain("Banner is gone");

  const shot = await flow.call({ action: "screenshot" });
  expect(shot.content.map(({ type }) => type)).toContain("image");
  const path = /MEDIA:(\S+)/.exec(shot.text)?.[1] ?? "";
  expect(existsSync(path)).toBe(true);

  const stopped = await flow.call({ action: "stop" });
  expect(stopped).toMatchObject({ isError: false, details: { running: false } });
});
