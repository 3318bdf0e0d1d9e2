// Deleting a browser profile by hand: its data goes, and so does its entry in the config file.

import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createSandbox } from "../run-cli.js";

const CONFIG = `// mine
{
  browser: {
    profiles: {
      work: { color: "#123456" }, // for the office
      far: { cdpUrl: "http://far.test:9222" }, // not here
      own: { userDataDir: "mine" },
    },
  },
}
`;

describe("delete-profile", () => {
  it("248 · stops, deletes the data and removes the profile from the config, comments kept", async () => {
    const sandbox = await createSandbox({ config: CONFIG });
    const data = join(sandbox.folder, ".clawtools/browser/work/user-data");
    await mkdir(data, { recursive: true });
    await writeFile(join(data, "Cookies"), "x");
    const call = (action: string, profile: string) =>
      sandbox.runHere("browser", "call", JSON.stringify({ action, profile }));
    const { exitCode, stdout, stderr } = await call("delete-profile", "work");
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(stdout).toContain("Profile work and its data are removed.");
    expect(existsSync(data)).toBe(false);
    const left = await readFile(sandbox.configFile, "utf8");
    expect(left).not.toContain("work");
    expect(left).toContain("// not here");
    expect((await call("profiles", "chrome")).stdout).not.toContain("work");
  });

  it.each(["far", "own"])(
    "refuses %s, whose data is not clawtools' own, and changes nothing",
    async (profile) => {
      const sandbox = await createSandbox({ config: CONFIG });
      const action = "delete-profile";
      const { exitCode, stderr } = await sandbox.runHere(
        "browser",
        "call",
        JSON.stringify({ action, profile }),
      );
      expect(exitCode).toBe(2);
      expect(stderr).toContain(`remove browser.profiles.${profile} there`);
      expect(await readFile(sandbox.configFile, "utf8")).toBe(CONFIG);
    },
  );
});
