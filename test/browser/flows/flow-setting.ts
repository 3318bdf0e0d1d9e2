// One browser with the test pages for a test file: the toolkit as users have it, the page server, and a
// folder for files. Calls go through `invoke`, and refs are found by role and name.
import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ContentBlock, createToolkit, type ToolkitOptions } from "clawtools";
import { afterAll, beforeAll } from "vitest";
import { createPageServer, type PageServer } from "../pages/page-server.js";
import { createOurHands, type OurHands } from "./hands/our-hands.js";
import { createSeenPage } from "./seen-page.js";
import { TASK_FILES } from "./tasks/ten-tasks.js";

export interface FlowAnswer {
  readonly text: string;
  readonly details: unknown;
  readonly isError: boolean;
  readonly content: readonly ContentBlock[];
}

export interface Flow {
  readonly server: PageServer;
  /** Real path; the files of the tasks lie in it. */
  readonly root: string;
  readonly hands: OurHands;
  call(args: Readonly<Record<string, unknown>>): Promise<FlowAnswer>;
  act(request: Readonly<Record<string, unknown>>): Promise<FlowAnswer>;
  /** A path of the page server; throws when it is not opened. */
  open(path: string): Promise<FlowAnswer>;
  /** In a fresh snapshot; throws with the snapshot when it is not there. */
  ref(role: string, name: string | RegExp): Promise<string>;
  close(): Promise<void>;
}

/** One for all tests of a file, from the first to the last. */
export function useFlow(config?: ToolkitOptions["config"]): Omit<Flow, "close"> {
  let opened: Flow | undefined;
  const flow = () => {
    if (!opened) throw new Error("There is no browser yet: it is opened before the first test.");
    return opened;
  };
  beforeAll(async () => {
    opened = await createFlow(config);
  });
  afterAll(() => opened?.close());
  return {
    get server() {
      return flow().server;
    },
    get root() {
      return flow().root;
    },
    get hands() {
      return flow().hands;
    },
    call: (args) => flow().call(args),
    act: (request) => flow().act(request),
    open: (path) => flow().open(path),
    ref: (role, name) => flow().ref(role, name),
  };
}

export async function createFlow(config: ToolkitOptions["config"] = {}): Promise<Flow> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "claw-flow-")));
  for (const [name, text] of Object.entries(TASK_FILES)) await writeFile(join(root, name), text);
  const server = await createPageServer();
  const toolkit = createToolkit({
    root,
    stateDir: join(root, ".state"),
    config: {
      tools: { loopDetection: { enabled: false } },
      ...config,
      browser: {
        headless: true,
        ssrfPolicy: { dangerouslyAllowPrivateNetwork: true },
        ...config.browser,
      },
    },
  });
  let count = 0;
  const call: Flow["call"] = async (args) => {
    count++;
    const id = `call_${count}`;
    const { content, details, isError } = await toolkit.invoke({
      id,
      name: "browser",
      arguments: args,
    });
    return { text: textOf(content), details, isError, content };
  };
  return {
    server,
    root,
    hands: createOurHands((request) => toolkit.invoke(request)),
    call,
    act: (request) => call({ action: "act", ...request }),
    async open(path) {
      const answer = await call({ action: "navigate", targetUrl: `${server.base}${path}` });
      if (answer.isError) throw new Error(`${path} was not opened: ${answer.text}`);
      return answer;
    },
    async ref(role, name) {
      const { text } = await call({ action: "snapshot" });
      const seen = createSeenPage();
      seen.replace(text);
      const ref = seen.find({ role, name })?.ref;
      if (ref === undefined) throw new Error(`No ${role} "${name}" in:\n${text}`);
      return ref;
    },
    async close() {
      await toolkit.close();
      await server.close();
      await rm(root, { recursive: true, force: true });
    },
  };
}

function textOf(content: readonly ContentBlock[]): string {
  return content.map((block) => (block.type === "text" ? block.text : "")).join("\n");
}
