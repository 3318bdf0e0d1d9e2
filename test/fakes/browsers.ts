// Browsers made of memory: pages by address, answers that a test sets, and a record of all calls.
import type {
  ActOutcome,
  BrowserPage,
  BrowserStatus,
  Browsers,
  BrowserTab,
  ListedElement,
  PageAction,
  PageChange,
  PageImage,
  PageListing,
} from "../../src/core/browser.js";
import { ToolError } from "../../src/core/index.js";

export interface FakeWebPage {
  readonly title?: string;
  readonly elements?: readonly ListedElement[];
  readonly listing?: Partial<PageListing>;
  readonly text?: string;
}

export interface FakeAnswers {
  readonly status?: Partial<BrowserStatus>;
  /** What an act changes, or why it fails. */
  readonly act?: (action: PageAction, count: number) => Partial<ActOutcome> | Error;
  readonly change?: Partial<PageChange>;
  readonly image?: Partial<PageImage>;
  readonly page?: Partial<BrowserPage>;
}

export interface FakeBrowsers extends Browsers {
  /** `["act", action]`, `["open", url]` … in order. */
  readonly calls: readonly (readonly unknown[])[];
  readonly acts: readonly PageAction[];
}

/** A listed element with everything that does not matter filled in. */
export function element(given: Partial<ListedElement>): ListedElement {
  const interactive = ["button", "link", "textbox", "checkbox", "combobox", "radio"];
  return {
    depth: 0,
    role: "button",
    name: "",
    states: [],
    isInteractive: interactive.includes(given.role ?? "button"),
    isNew: false,
    ...given,
  };
}

const NO_CHANGE = {
  isNewDocument: false,
  added: [],
  removed: [],
  changed: [],
  counts: { added: 0, removed: 0, changed: 0 },
  events: [],
  isUnsettled: false,
} as const;

/** Without pages every address is an empty one. A browser runs from the first page on. */
export function createFakeBrowsers(
  pages: Readonly<Record<string, FakeWebPage>> = {},
  answers: FakeAnswers = {},
): FakeBrowsers {
  const calls: (readonly unknown[])[] = [];
  const acts: PageAction[] = [];
  const tabs: { tab: BrowserTab; page: BrowserPage }[] = [];
  let made = 0;

  const record = (...call: readonly unknown[]) => void calls.push(call);
  const status = async (): Promise<BrowserStatus> => ({
    ...{ enabled: true, profile: "chrome", kind: "managed", headless: true, attachOnly: false },
    ...{ running: tabs.length > 0, policy: "enforced", tabCount: tabs.length },
    ...answers.status,
  });

  function openTab(url: string): BrowserPage {
    const targetId = `t${++made}`;
    const page = createPage({ targetId, record, acts, answers, pages, url });
    tabs.push({ tab: { targetId, title: "", url, isCurrent: true }, page });
    return page;
  }

  function find(targetId: string | undefined): BrowserPage {
    const found = tabs.find(({ tab }) => tab.targetId === (targetId ?? tabs.at(-1)?.tab.targetId));
    if (found) return found.page;
    if (targetId === undefined) return openTab("about:blank");
    throw new ToolError("not_found", `Unknown tab ${targetId}; tabs lists them.`, {
      reason: "tab_not_found",
    });
  }

  return {
    calls,
    acts,
    status,
    async start() {
      record("start");
      return { ...(await status()), running: true };
    },
    async stop() {
      record("stop");
      return { ...(await status()), running: false, tabCount: 0 };
    },
    async profiles() {
      const facts = { kind: "managed", cdpPort: 18_800, running: false, tabCount: 0 } as const;
      return [{ name: "chrome", isDefault: true, isRemote: false, ...facts }];
    },
    async createProfile({ profile, cdpUrl }) {
      record("createProfile", profile, cdpUrl);
      const kind = cdpUrl === undefined ? "managed" : "attached";
      const facts = { running: false, tabCount: 0, isDefault: false, isRemote: false } as const;
      return { name: profile, kind, ...(cdpUrl === undefined ? {} : { cdpUrl }), ...facts };
    },
    deleteProfile: async ({ profile }) => record("deleteProfile", profile),
    resetProfile: async ({ profile }) => record("resetProfile", profile),
    async tabs({ signal }) {
      return Promise.all(tabs.map(({ page }) => page.tab({ signal })));
    },
    async open({ url }) {
      record("open", url);
      return openTab(url);
    },
    async page({ targetId, timeoutMs }) {
      record("page", targetId, timeoutMs);
      return find(targetId);
    },
    async focus({ targetId, signal }) {
      record("focus", targetId);
      return find(targetId).tab({ signal });
    },
    async closeTab({ targetId }) {
      record("closeTab", targetId);
      return { targetId: targetId ?? "t1" };
    },
    async doctor() {
      return [
        { name: "program", isGood: true, text: "Chromium 156 is there." },
        { name: "sandbox", isGood: false, text: "User namespaces are off; turn them on." },
      ];
    },
    close: async () => undefined,
  };
}

interface PageParts {
  readonly targetId: string;
  readonly url: string;
  readonly pages: Readonly<Record<string, FakeWebPage>>;
  readonly answers: FakeAnswers;
  readonly acts: PageAction[];
  record(...call: readonly unknown[]): void;
}

function createPage(parts: PageParts): BrowserPage {
  const { targetId, pages, answers, acts, record } = parts;
  let url = parts.url;
  const here = (): FakeWebPage => pages[url] ?? {};
  const tab = (): BrowserTab => ({ targetId, title: here().title ?? "", url, isCurrent: true });
  const change = (more: Partial<PageChange> = {}): PageChange => ({
    ...{ ...NO_CHANGE, tab: tab() },
    ...answers.change,
    ...more,
  });
  const noRecords = { entries: [], total: 0, dropped: 0 };
  return {
    targetId,
    tab: async () => tab(),
    async navigate(request) {
      url = request.url;
      record("navigate", url);
      const added = here().elements ?? [];
      const counts = { added: added.length, removed: 0, changed: 0 };
      return change({ isNewDocument: true, added, counts });
    },
    async history({ step }) {
      record("history", step);
      return change();
    },
    async list({ signal: _signal, ...request }) {
      record("list", request);
      const base = { documentId: url, elements: here().elements ?? [], gaps: [], isCut: false };
      return { ...base, ...here().listing };
    },
    async act(action) {
      const count = acts.push(action);
      const answer = answers.act?.(action, count) ?? {};
      if (answer instanceof Error) throw answer;
      return { change: change(), ...answer };
    },
    async screenshot({ signal: _signal, ...request }) {
      record("screenshot", request);
      const size = { width: 10, height: 10, mimeType: "image/png", path: "/tmp/shot.png" } as const;
      return { bytes: new Uint8Array([1, 2, 3]), ...size, ...answers.image };
    },
    async pdf({ path = "/project/page.pdf" }) {
      return { path, bytes: 9 };
    },
    async text({ maxChars, selector }) {
      record("text", { maxChars, selector });
      const whole = here().text ?? "";
      return { text: whole.slice(0, maxChars), totalChars: whole.length, frameCount: 0 };
    },
    console: async () => noRecords,
    errors: async () => noRecords,
    requests: async () => noRecords,
    async upload({ signal: _signal, ...request }) {
      record("upload", request);
      return change();
    },
    async download({ ref, path = "/project/got.bin" }) {
      record("download", ref);
      return { path, bytes: 3, suggestedName: "got.bin" };
    },
    async answerDialog({ signal: _signal, ...request }) {
      record("dialog", request);
      return change();
    },
    close: async () => undefined,
    ...answers.page,
  };
}
