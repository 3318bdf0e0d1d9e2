// One tab for all tests of a file, which show it one page after the other.

import { afterAll, beforeAll } from "vitest";
import { createTabFixture, staleWhy, type Tab, type TabFixture } from "./tab-fixture.js";

export interface ShownTab {
  readonly fixture: TabFixture;
  readonly tab: Tab;
  show(html: string): Promise<void>;
  /** Shows a page with a button `Go`, and gives its ref. */
  showGo(html: string): Promise<string>;
  run(script: string): Promise<unknown>;
  refsWith(wanted: { readonly role?: string; readonly name?: string }): Promise<readonly string[]>;
  /** Why each of them is refused; undefined of one that is not. */
  allWhy(refs: readonly string[]): Promise<readonly unknown[]>;
}

/** To be called once, outside of the tests. */
export function useShownTab(): ShownTab {
  let fixture: TabFixture;
  let tab: Tab;
  beforeAll(async () => {
    fixture = await createTabFixture();
    tab = await fixture.open("");
  });
  afterAll(() => fixture.close());
  const show = async (html: string) => {
    fixture.documents.set("/shown", html);
    await tab.page.goto(`${fixture.origin}/shown`);
  };
  return {
    get fixture() {
      return fixture;
    },
    get tab() {
      return tab;
    },
    show,
    async showGo(html) {
      await show(html);
      return tab.refOf("button", "Go");
    },
    run: (script) => tab.page.evaluate(script),
    async refsWith({ role, name }) {
      const { elements } = await tab.list();
      return elements
        .filter((each) => (role ?? each.role) === each.role && (name ?? each.name) === each.name)
        .map(({ ref = "" }) => ref);
    },
    allWhy: (refs) => Promise.all(refs.map((ref) => staleWhy(tab, ref))),
  };
}
