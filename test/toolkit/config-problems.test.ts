// What is wrong in a config is said when the toolkit is made; what is doubtful can be asked for.

import { join } from "node:path";
import { createToolkit, type ToolkitOptions } from "clawtools";
import { describe, expect, it } from "vitest";

const root = import.meta.dirname;

/** What a caller without types may pass. */
const create = (options: unknown) => createToolkit(options as ToolkitOptions);

describe("a config that is wrong", () => {
  it.each([
    [{ tools: { allow: ["raed"] } }, /tools\.allow\[0\].*"read"/],
    [{ tools: { profile: 5 } }, /tools\.profile/],
    [{ tools: { deny: ["raed"] } }, /tools\.deny\[0\].*"read"/],
    [{ tools: { deny: ["group:fss"] } }, /tools\.deny\[0\].*"group:fs"/],
  ])("%o is refused with its path", (config, message) => {
    expect(() => create({ root, config })).toThrowError(message);
  });
});

describe("earlier diagnostics", () => {
  it("are told to a listener that comes later, before those that follow", async () => {
    const toolkit = create({ root, config: { tolls: {}, tools: { deny: ["no_such_tool"] } } });
    const heard: string[] = [];
    const left: string[] = [];
    toolkit.on("diagnostic", ({ message }) => heard.push(message));
    toolkit.on("diagnostic", ({ message }) => left.push(message))();
    await toolkit.ready;
    expect(heard).toEqual([
      expect.stringContaining('"tools"'),
      expect.stringContaining("no_such_tool"),
    ]);
    expect(left).toEqual([]);
    await toolkit.close();
  });

  it("have the plugins that could not be loaded among them", async () => {
    const paths = [join(root, "../plugins/faulty/throws-in-register")];
    const toolkit = create({ root, config: { plugins: { load: { paths } } } });
    await toolkit.ready;
    expect(toolkit.diagnostics()).toEqual([
      expect.objectContaining({
        severity: "error",
        message: expect.stringMatching(/^plugin \S+: the plugin could not be loaded: /),
      }),
    ]);
    await toolkit.close();
  });
});

describe("a config that is doubtful", () => {
  it("is used, and what is doubtful is a diagnostic", async () => {
    const toolkit = create({
      root,
      config: { tolls: {}, tools: { deny: ["no_such_tool"] } },
    });
    const messages = toolkit.diagnostics().map(({ message }) => message);
    expect(messages).toEqual([
      expect.stringContaining('"tools"'),
      expect.stringContaining("no_such_tool"),
    ]);
    expect(toolkit.explain("read").status).toBe("present");
    await toolkit.close();
  });

  it("is not so for naming the tool of a plugin, which is known only when it is loaded", async () => {
    const plugins = { load: { paths: [join(root, "../plugins/sound/echo")] } };
    const toolkit = createToolkit({
      root,
      config: { plugins, tools: { alsoAllow: ["echo", "bogus_name"], deny: ["ecko"] } },
    });
    expect(toolkit.diagnostics()).toEqual([]);
    await toolkit.ready;
    const told = toolkit.diagnostics().map(({ code, message }) => `${code} ${message}`);
    expect(told).toEqual([
      expect.stringMatching(/^config_doubtful tools\.alsoAllow\[1\]: "bogus_name"/),
      expect.stringMatching(/^config_doubtful tools\.deny\[0\]: "ecko" .*"echo"/),
    ]);
    await toolkit.close();
  });

  it("is told as an error when it is a slip for the tool of a plugin, which then is not opened", async () => {
    const plugins = { load: { paths: [join(root, "../plugins/sound/echo")] } };
    const config = { plugins, tools: { allow: ["read", "ecko"] } };
    const toolkit = createToolkit({ root, config });
    await toolkit.ready;
    expect(toolkit.diagnostics()).toEqual([
      expect.objectContaining({
        severity: "error",
        message: expect.stringMatching(/^tools\.allow\[1\]: "ecko" .*"echo"/),
      }),
    ]);
    expect(toolkit.explain("echo").code).toBe("denied");
    await toolkit.close();
  });
});
