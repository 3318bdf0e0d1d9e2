// The arguments and variables of a managed browser: ours count, and nothing of ours leaks.

import { chromium } from "playwright-core";
import { describe, expect, it } from "vitest";
import {
  isRefusedArgument,
  toBrowserEnvironment,
  toFeatureArguments,
  toLaunchArguments,
} from "./launch-arguments.js";

const source = {
  port: 18_800,
  netFlags: ["--proxy-server=http://127.0.0.1:9"],
  extraArgs: ["--lang=de", "--proxy-server=evil:1", "--no-sandbox", "plain", "--USER-DATA-DIR=/x"],
  headless: true,
  platform: "linux",
} as const;

describe("toLaunchArguments", () => {
  it("keeps extra arguments, but none that undoes what keeps the browser safe", () => {
    const given = toLaunchArguments(source);
    expect(given).toContain("--lang=de");
    expect(given).toContain("--remote-debugging-port=18800");
    expect(given.filter((one) => one.startsWith("--proxy-server"))).toEqual(source.netFlags);
    expect(given.join(" ")).not.toMatch(/evil|--no-sandbox|plain|USER-DATA/);
    expect(given.at(-1)).toBe(source.netFlags[0]);
  });

  it("opens no port when there is none", () => {
    const given = toLaunchArguments({ ...source, port: undefined });
    expect(given.some((one) => one.startsWith("--remote-debugging"))).toBe(false);
  });

  it("names what it leaves out", () => {
    expect(source.extraArgs.filter(isRefusedArgument)).toEqual(source.extraArgs.slice(1));
  });
});

describe("toBrowserEnvironment", () => {
  it("hands over what a program needs, and no key and no proxy", () => {
    const given = toBrowserEnvironment(
      {
        PATH: "/bin",
        LC_ALL: "C",
        XDG_RUNTIME_DIR: "/run",
        OPENAI_API_KEY: "x",
        HTTPS_PROXY: "y",
        TMPDIR: "/tmp",
      },
      "/tmp/own",
    );
    expect(given).toEqual({
      PATH: "/bin",
      LC_ALL: "C",
      XDG_RUNTIME_DIR: "/run",
      TMPDIR: "/tmp/own",
      TEMP: "/tmp/own",
      TMP: "/tmp/own",
    });
  });
});

const listed = (argument = "") => argument.slice(argument.indexOf("=") + 1).split(",");

describe("toFeatureArguments", () => {
  it("has all that Playwright names", async () => {
    // The error shows the whole command when the program is not a browser.
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
