// Commands that run files which their arguments name, through a toolkit: what of them is bound while
// a person thinks, what can be saved for good, and what of a call's variables an answer holds for.

import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type ApprovalAnswer, type CommandQuestion, createToolkit } from "clawtools";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { sampleRows } from "../fakes/campaign.js";

interface Scene {
  readonly root: string;
  readonly questions: CommandQuestion[];
  readonly titles: string[];
  exec(command: string, env?: Record<string, string>): Promise<Answer>;
  ran(): boolean;
}

interface Answer {
  readonly isError: boolean;
  readonly text: string;
  readonly details: Readonly<Record<string, unknown>>;
}

const FILES: Readonly<Record<string, string>> = {
  "root/x.sh": "touch ran\n",
  "root/x.awk": 'BEGIN { system("touch ran") }\n',
  "root/x.sed": "1e touch ran\n",
  "root/x.mk": "t:\n\ttouch ran\n",
  "root/Makefile": "t:\n\ttouch ran\n",
  "root/x.js": 'require("node:fs").writeFileSync("ran", "");\n',
  "root/x.txt": "text\n",
  "root/x.py": 'open("ran", "w").close()\n',
  "root/x.vim": ":!touch ran\n:q\n",
  "root/folder/Makefile": "t:\n\ttouch ../ran\n",
  "root/folder/index.js": 'require("node:fs").writeFileSync("ran", "");\n',
  "root/package.json": '{ "scripts": { "t": "touch ran" } }\n',
  "root/folder/part": "#!/bin/sh\ntouch ../ran\n",
  "root/tool": '#!/bin/sh\n. "./$1"\n',
  "root/starts-file": "#!./x.sh\n",
  "root/starts-name": "#!x.sh",
  "root/starts-split": "#!/usr/bin/env -S bash ./x.sh\n",
  "root/starts-chain": "#!./starts-file\n",
  "bin/tool": '#!/bin/sh\n. "./$1"\n',
};

type Answering = (scene: Scene) => ApprovalAnswer;

/** Ends with the test. */
async function createScene(answer: Answering): Promise<Scene> {
  const { scene, close } = await openScene(answer);
  onTestFinished(close);
  return scene;
}

async function openScene(answer: Answering): Promise<{ scene: Scene; close(): Promise<void> }> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "named-files-")));
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const root = join(folder, "root");
  const bin = join(folder, "bin");
  for (const name of Object.keys(FILES)) {
    if (/\/(?:tool|part|starts-\w+|x\.sh)$/.test(name)) chmodSync(join(folder, name), 0o755);
  }
  const toolkit = createToolkit({
    root,
    stateDir: join(folder, "state"),
    approvals: { version: 1, agents: {} },
    config: { tools: { exec: { sandbox: "none", pathPrepend: [bin] } } },
    async approve({ command, title }) {
      titles.push(title);
      if (command) questions.push(command);
      return answer(scene);
    },
  });
  const questions: CommandQuestion[] = [];
  const titles: string[] = [];
  let calls = 0;
  const scene: Scene = {
    ...{ root, questions, titles },
    ran: () => existsSync(join(root, "ran")),
    async exec(command, env) {
      const params = env === undefined ? { command } : { command, env };
      const id = `call_${++calls}`;
      const result = await toolkit.invoke({ id, name: "exec", arguments: params });
      const text = result.content.map((block) => (block.type === "text" ? block.text : "")).join();
      return { isError: result.isError, text, details: { ...(result.details as object) } };
    },
  };
  return {
    scene,
    async close() {
      await toolkit.close();
      rmSync(folder, { recursive: true });
    },
  };
}

const always = () => ({ decision: "allow-always" }) as const;

describe("while somebody thinks about a command, the content is bound of", () => {
  // One for all rows: nothing of them runs, and the file that was changed is put back.
  let opened: Awaited<ReturnType<typeof openScene>>;
  let changed = "";
  beforeAll(async () => {
    opened = await openScene(({ root }) => {
      writeFileSync(join(root, changed), "touch ran # other\n");
      return { decision: "allow-once" };
    });
  });
  afterAll(() => opened.close());

  it.each(
    sampleRows(
      [
        ["a script behind env", "env bash x.sh", "x.sh"],
        ["a script behind timeout", "timeout 5 bash x.sh", "x.sh"],
        ["a script behind two wrappers", "nice timeout 5 sh ./x.sh", "x.sh"],
        ["a script that a wrapper reads", "env bash < x.sh", "x.sh"],
        ["the program of awk", "awk -f x.awk", "x.awk"],
        ["the program of awk, written together", "awk -fx.awk", "x.awk"],
        ["the script of sed", "sed -n -f x.sed x.txt", "x.sed"],
        ["the script of sed in a long option", "sed --file=x.sed x.txt", "x.sed"],
        ["a makefile", "make -f x.mk t", "x.mk"],
        ["the makefile that make looks for", "make t", "Makefile"],
        ["the makefile of another folder", "make -C folder t", "folder/Makefile"],
        ["a script in another folder", "env -C folder bash index.js", "folder/index.js"],
        ["the package file of npm", "npm run t", "package.json"],
        ["a module that node is told to load", "node --require=./x.js x.txt", "x.js"],
        ["a script without its ending", "node ./x", "x.js"],
        ["the script of a folder", "node folder", "folder/index.js"],
        ["a module of python", "python3 -m x", "x.py"],
        ["a script named in code", "bash -c '. ./x.sh'", "x.sh"],
        ["a script that find runs", "find . -maxdepth 0 -exec bash x.sh ;", "x.sh"],
        [
          "a script in a text of tar",
          "tar cf o --checkpoint=1 '--checkpoint-action=exec=sh x.sh' .",
          "x.sh",
        ],
        ["a script that is piped", "cat x.sh | bash", "x.sh"],
        ["a script that is piped through a filter", "cat x.sh | sed p | env sh", "x.sh"],
        ["a file of a program that nobody knows", "tool x.sh", "x.sh"],
        ["a file that is piped into a program of the workspace", "cat x.sh | ./tool x.txt", "x.sh"],
        ["a program in the folder of a long option", "env --chdir=folder ./part", "folder/part"],
        ["a program in the folder of a short option", "env -Cfolder ./part", "folder/part"],
        ["a program in a search path of its own", "env PATH=./folder part", "folder/part"],
        ["the parts of a folder", "run-parts folder", "folder/part"],
        ["the parts of a folder, behind a wrapper", "timeout 5 run-parts ./folder", "folder/part"],
        ["a file that starts a script", "./starts-file", "x.sh"],
        ["a file that starts a script by its bare name", "./starts-name", "x.sh"],
        ["a script in the words that start another", "./starts-split", "x.sh"],
        ["a script that starts what starts a script", "./starts-chain", "x.sh"],
      ],
      4,
    ),
  )("%s", async (_, command, file) => {
    const { root, questions, exec, ran } = opened.scene;
    questions.length = 0;
    changed = file;
    onTestFinished(() => writeFileSync(join(root, file), FILES[`root/${file}`] ?? ""));
    const { details } = await exec(command.replace(" ;", " ';'"));
    expect(details).toMatchObject({ code: "denied", reason: "approval_mismatch" });
    expect(details.change).toMatch(/script|file/);
    expect(ran()).toBe(false);
    expect(questions[0]?.shown.join("\n")).toMatch(/sha256 [0-9a-f]{64}/);
  });

  it("nothing that is only read: such a file may change", async () => {
    const scene = await createScene(({ root }) => {
      writeFileSync(join(root, "x.txt"), "other\n");
      return { decision: "allow-once" };
    });
    expect(await scene.exec("cat x.txt")).toMatchObject({ isError: false });
    expect(await scene.exec("cp x.txt y.txt")).toMatchObject({ isError: false });
  });
});

describe("what runs files or programs that its arguments name cannot be saved for good", () => {
  // One for all rows: what one of them saved would leave another unasked.
  let opened: Awaited<ReturnType<typeof openScene>>;
  beforeAll(async () => {
    opened = await openScene(always);
  });
  afterAll(() => opened.close());

  it.each(
    sampleRows(
      [
        "awk -f x.awk",
        "awk 'BEGIN { system(\"touch ran\") }'",
        "sed -n -f x.sed x.txt",
        "make -f x.mk t",
        "make t",
        "vim -es -S x.vim",
        "find . -maxdepth 0 -exec bash x.sh ';'",
        "git -c alias.z=!./x.sh z",
        "tar cf o --checkpoint=1 '--checkpoint-action=exec=sh x.sh' .",
        "env bash x.sh",
        "timeout 5 bash x.sh",
        "nice bash x.sh",
        "python3 -m x",
        "npm run t",
        "npm test",
        "cat x.sh | bash",
        "sort --compress-program=./x.sh x.txt",
        "zip -T -TT ./x.sh o.zip x.txt",
        "node folder x.txt",
        "node ./x x.txt",
        "node --title x.txt folder",
        "node -C x.txt folder",
        "bash --rcfile x.txt -i folder",
        "perl -Ifolder x.txt",
        "ssh -F x.txt host",
        "xargs -a x.txt sh",
        "tool x.sh",
        "prove x.txt",
        "prove folder",
        "cpp -B. x.txt",
        "perl /usr/bin/prove x.txt",
        "./starts-file",
        "./starts-name",
        "./starts-chain",
      ],
      4,
    ),
  )("%s", async (command) => {
    const { questions, exec } = opened.scene;
    questions.length = 0;
    await exec(command);
    expect(questions).toMatchObject([{ grants: [], decisions: ["allow-once", "deny"] }]);
    expect(questions[0]?.onceBecause).toBeTruthy();
    await exec(command);
    expect(questions).toHaveLength(2);
  });

  it("a program that no profile knows, and the question says how it could be", async () => {
    const scene = await createScene(always);
    await scene.exec("tool x.sh");
    expect(scene.questions[0]?.onceBecause).toMatch(
      /no profile knows.*bin\/tool with an argPattern/,
    );
  });

  it("git, once the repository names programs", async () => {
    const scene = await createScene(always);
    await scene.exec("git init -q .");
    const config = join(scene.root, ".git", "config");
    const before = scene.questions.length;
    for (const _ of [1, 2]) await scene.exec("git status --short");
    expect(scene.questions).toHaveLength(before + 1);
    writeFileSync(config, '[core]\n\tbare = false\n[filter "f"]\n\tclean = touch ran\n');
    await scene.exec("git status --short");
    expect(scene.questions).toHaveLength(before + 2);
    expect(scene.questions.at(-1)?.grants).toEqual([]);
  });
});

describe("what can be saved for good", () => {
  it.each([
    ["a script", "bash x.sh", "x.sh"],
    ["a script with options of the shell", "bash -eu x.sh one", "x.sh"],
    ["a script of node with a file", "node x.js x.txt", "x.txt"],
    ["a program of the workspace", "./tool x.sh", "x.sh"],
    ["a program of the workspace, by itself", "./tool x.sh", "tool"],
    ["a script with a script in the words that start it", "./starts-split", "x.sh"],
  ])("%s holds until its file is another", async (_, command, file) => {
    const scene = await createScene(always);
    for (const __ of [1, 2]) expect(await scene.exec(command)).toMatchObject({ isError: false });
    expect(scene.questions).toHaveLength(1);
    writeFileSync(join(scene.root, file), "1;\n");
    await scene.exec(command);
    expect(scene.questions).toHaveLength(2);
  });

  it("is asked about when the same line may write the file that is bound", async () => {
    const scene = await createScene(always);
    for (const command of ["cp x.txt x.js", "./tool x.sh", "node x.js"]) await scene.exec(command);
    expect(scene.questions).toHaveLength(3);
    await scene.exec("cp x.txt x.js && node x.js");
    expect(scene.questions).toHaveLength(4);
    expect(scene.questions[3]?.grants).toEqual([]);
    await scene.exec("cp x.txt x.js; ./tool x.sh");
    expect(scene.questions).toHaveLength(5);
  });

  it.each(["cp x.txt y.txt", "rm -f gone", "sed -n 1p x.txt", "find . -name x.js", "ls -l"])(
    "%s, whatever is in the files",
    async (command) => {
      const scene = await createScene(always);
      await scene.exec(command);
      writeFileSync(join(scene.root, "x.txt"), "other\n");
      await scene.exec(command);
      expect(scene.questions).toHaveLength(1);
    },
  );
});

describe("more files than are bound are told, and nothing of it is saved for good", () => {
  it.each<[string, string, (root: string) => void]>([
    [
      "65 files",
      "./tool many/*",
      (root) => {
        mkdirSync(join(root, "many"));
        for (let count = 0; count < 65; count++) writeFileSync(join(root, "many", `${count}`), "");
      },
    ],
    [
      "a file of more than 16 MiB",
      "./tool large",
      (root) => {
        writeFileSync(join(root, "large"), "");
        truncateSync(join(root, "large"), 16 * 1024 * 1024 + 1);
      },
    ],
  ])("%s", async (_, command, make) => {
    const scene = await createScene(always);
    make(scene.root);
    await scene.exec(command);
    expect(scene.questions[0]?.grants).toEqual([]);
    expect(scene.questions[0]?.shown.join("\n")).toContain("may change before it starts");
  });
});

describe("files that a command runs without naming them", () => {
  const shownOf = async (command: string) => {
    const scene = await createScene(() => ({ decision: "deny" }));
    await scene.exec(command);
    return scene.questions[0]?.shown.join("\n");
  };

  it.each([
    "perl -I. -MFoo -e 1",
    "perl -Ifolder x.txt",
    "perl -mFoo -e 1",
    "env perl -I. -MFoo x.txt",
    "env -S 'perl -I. -MFoo' x.txt",
    "nice -n 5 timeout 5 perl -MFoo -e 1",
    "python3 -c 'import x'",
    "python3 -mx",
    "node -e 'require(\"./x\")'",
    "xargs -a x.txt sh",
    "cat x.txt | xargs -n1 sh",
    "timeout 5 xargs --arg-file=x.txt bash",
    "sh -c 'for f in *.sh; do . ./$f; done'",
    "find . -maxdepth 0 -exec sh -c '. ./$0' x.sh ';'",
  ])("are said to be open: %s", async (command) => {
    expect(await shownOf(command)).toMatch(
      /may change before it starts: "\w+" (?:may load|takes the names of) files/,
    );
  });

  it.each(
    sampleRows(
      ["bash x.sh", "env bash x.sh", "node --no-warnings x.js x.txt", "./tool perl -e 1"],
      4,
    ),
  )("are none, and nothing is said: %s", async (command) => {
    expect(await shownOf(command)).not.toContain("may change before it starts");
  });
});

describe("a file that cannot be read to its end", () => {
  it.each(
    sampleRows(["bash /proc/kmsg", "env bash /proc/kmsg", "bash /dev/zero", "bash x.pipe"], 4),
  )(
    "keeps nobody waiting: %s",
    async (command) => {
      const scene = await createScene(() => ({ decision: "deny" }));
      execFileSync("mkfifo", [join(scene.root, "x.pipe")]);
      expect(await scene.exec(command)).toMatchObject({ details: { reason: "user_denied" } });
    },
    5_000,
  );
});

describe("the variables of a call", () => {
  it("are shown with the command, name and value, with what cannot be seen escaped", async () => {
    const scene = await createScene(() => ({ decision: "deny" }));
    await scene.exec("./tool x.sh", { ZIPOPT: "-T \u202ex", PLAIN: "1" });
    await scene.exec('./tool "$x"', { ZIPOPT: "-T" });
    const [read, unread] = scene.questions.map(({ shown }) => shown);
    expect(read).toContain("Environment: PLAIN=1");
    expect(read).toContain('Environment: ZIPOPT="-T \\u{202E}x"');
    expect(unread).toContain("Environment: ZIPOPT=-T");
    expect(scene.titles[0]).toContain("PLAIN, ZIPOPT");
  });

  it("are part of what is saved for good", async () => {
    const scene = await createScene(always);
    const run = (env?: Record<string, string>) => scene.exec("./tool x.sh", env);
    for (const _ of [1, 2]) await run({ ZIPOPT: "-T", OTHER: "1" });
    await run({ OTHER: "1", ZIPOPT: "-T" });
    expect(scene.questions).toHaveLength(1);
    expect(scene.questions[0]?.grants[0]?.shown).toContain("with the variables OTHER ZIPOPT");
    await run({ ZIPOPT: "./x.sh" });
    expect(scene.questions.pop()?.grants).toEqual([]);
    const others = [{ ZIPOPT: "-T -TT ./x" }, { ZIPOPT: "-T" }, undefined, { OTHER: "1" }];
    for (const [index, env] of others.entries()) {
      await run(env);
      expect(scene.questions).toHaveLength(index + 2);
    }
  });
});
