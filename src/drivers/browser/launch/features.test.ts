// What is turned off and on in a managed browser: all that Playwright names, and more.
import { chromium } from "playwright-core";
import { describe, expect, it } from "vitest";
import { toFeatureArguments } from "./launch-arguments.js";

const listed = (argument = "") => argument.slice(argument.indexOf("=") + 1).split(",");

describe("toFeatureArguments", () => {
  it("has all that Playwright names", async () => {
    // The whole command is told when the program is no browser.
    const failed = chromium.launch({ executablePath: process.execPath });
    const { message } = await failed.then(
      () => expect.unreachable(),
      (error: Error) => error,
    );
    for (const ours of toFeatureArguments([])) {
      const [kind = ""] = ours.split("=");
      const theirs = message.split(/\s+/u).find((one) => one.startsWith(`${kind}=`));
      expect(listed(theirs).length).toBeGreaterThan(1);
      expect(listed(ours)).toEqual(expect.arrayContaining(listed(theirs)));
    }
  });

  it("turns off what tells the maker of the browser about forms", () => {
    expect(listed(toFeatureArguments([])[0])).toContain("AutofillServerCommunication");
  });

  it("has what the operator names, once", () => {
    const given = ["--disable-features=Translate,MediaRouter", "--enable-features=Foo"];
    const [off, on] = toFeatureArguments(["--lang=de", ...given, "--disable-features"]);
    expect(listed(off)).toContain("Translate");
    expect(listed(off).filter((name) => name === "MediaRouter")).toHaveLength(1);
    expect(listed(on)).toContain("Foo");
    expect(listed(off)).not.toContain("");
  });
});
