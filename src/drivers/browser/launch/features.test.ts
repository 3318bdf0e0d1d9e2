// What is turned off in a managed browser: all that Playwright turns off, and more.
import { chromium } from "playwright-core";
import { describe, expect, it } from "vitest";
import { isFeaturesArgument, toFeaturesArgument } from "./features.js";

const listed = (argument: string) => argument.slice(argument.indexOf("=") + 1).split(",");

describe("toFeaturesArgument", () => {
  it("has all that Playwright turns off", async () => {
    // The whole command is told when the program is no browser.
    const failed = chromium.launch({ executablePath: process.execPath });
    const { message } = await failed.then(
      () => expect.unreachable(),
      (error: Error) => error,
    );
    const [byPlaywright = ""] = message.split(/\s+/u).filter(isFeaturesArgument);
    expect(listed(byPlaywright).length).toBeGreaterThan(9);
    expect(listed(toFeaturesArgument([]))).toEqual(expect.arrayContaining(listed(byPlaywright)));
  });

  it("has what the operator turns off, once", () => {
    const extraArgs = ["--lang=de", "--disable-features=Translate,MediaRouter"];
    const all = listed(toFeaturesArgument(extraArgs));
    expect(all).toContain("Translate");
    expect(all.filter((name) => name === "MediaRouter")).toHaveLength(1);
  });
});
