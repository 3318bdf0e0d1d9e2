// What decides over commands, wherever it lies in the workspace: commands in the sandbox cannot
// change it, and of the state they see nothing.

import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ToolkitOptions } from "clawtools";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createSandboxToolkits, execOf, triesOf } from "./sandbox-toolkit.js";

const { makeFolder, open: openToolkit } = createSandboxToolkits();
const open = (options: ToolkitOptions) => execOf(openToolkit(options));
afterEach(() => {
  vi.unstubAllEnvs();
});

describe("a state folder in the workspace", () => {
  it.each(["state", "deep/er/state", ".clawtools"])("is not seen as %s", async (name) => {
    const root = makeFolder();
    const stateDir = join(root, name);
    const exec = open({ root, stateDir });
    const first = name.split("/")[0];
    const { text } = await exec(
      triesOf([
        `cat ${name}/state.db`,
        `ls -A ${name} | grep -q .`,
        `echo '{}' > ${name}/exec-approvals.json`,
        `rm -f ${name}/state.db && [ -e ${name} ] && : > ${name}/x`,
        `mv ${name} other`,
        `mv ${first} other`,
        `rmdir ${name}`,
      ]),
    );
    expect(text.trim()).toBe("tried");
    expect(existsSync(join(stateDir, "state.db"))).toBe(true);
    expect(existsSync(join(stateDir, "exec-approvals.json"))).toBe(false);
  });

  it("is there before a command can make it", async () => {
    const root = makeFolder();
    const exec = open({ root, stateDir: join(root, "later") });
    const { text } = await exec(triesOf(["mkdir later", "mkdir -p later/x"]));
    expect(text.trim()).toBe("tried");
  });

  it.each([
    ["that is a link", "state"],
    ["behind a link", "state/inner"],
  ])("%s leaves no sandbox, because the link could be replaced", async (_title, name) => {
    const root = makeFolder();
    symlinkSync(makeFolder(), join(root, "state"));
    const exec = open({ root, stateDir: join(root, name) });
    const { text, reason } = await exec("rm state && mkdir state && echo planted");
    expect(reason).toBe("sandbox_unavailable");
    expect(text).toContain("goes through the link");
  });

  it("that is the workspace leaves no sandbox", async () => {
    const root = makeFolder();
    const { text, reason } = await open({ root, stateDir: root })("echo planted");
    expect(reason).toBe("sandbox_unavailable");
    expect(text).toContain("is the workspace");
  });

  it("that is reached by a link outside of the workspace is hidden all the same", async () => {
    const root = makeFolder();
    mkdirSync(join(root, "real"));
    const link = join(makeFolder(), "link");
    symlinkSync(join(root, "real"), link);
    const { text } = await open({ root, stateDir: link })(
      triesOf(["cat real/state.db", ": > real/exec-approvals.json", "mv real other"]),
    );
    expect(text.trim()).toBe("tried");
  });
});

describe("a config file in the workspace", () => {
  const commands = ["echo x > conf/my.json5", "rm -f conf/my.json5", "mv conf other"];

  function place() {
    const root = makeFolder();
    mkdirSync(join(root, "conf"));
    const path = join(root, "conf/my.json5");
    writeFileSync(path, "{}\n");
    return { root, stateDir: makeFolder(), path };
  }

  it("cannot be changed when it is named as protected", async () => {
    const { path, ...options } = place();
    const { text } = await open({ ...options, protect: [path] })(triesOf(commands));
    expect(text.trim()).toBe("tried");
    expect(readFileSync(path, "utf8")).toBe("{}\n");
  });

  it("cannot be changed when the environment names it", async () => {
    const { path, ...options } = place();
    vi.stubEnv("CLAWTOOLS_CONFIG_PATH", path);
    const { text } = await open(options)(triesOf(commands));
    expect(text.trim()).toBe("tried");
    expect(readFileSync(path, "utf8")).toBe("{}\n");
  });

  it("leaves the folder it is in to be written", async () => {
    const { path, ...options } = place();
    const { text } = await open({ ...options, protect: [path] })("echo x > conf/other; ls conf");
    expect(text.trim()).toBe("my.json5\nother");
  });
});
