// What a listing shows of a page: roles, names, states, values, levels.

import { afterAll, beforeAll, expect, test } from "vitest";
import { createTabFixture, type TabFixture, toText } from "./tab-fixture.js";

let fixture: TabFixture;
beforeAll(async () => {
  fixture = await createTabFixture();
});
afterAll(() => fixture.close());

async function textOf(html: string): Promise<string> {
  const tab = await fixture.open(html);
  const { elements } = await tab.list();
  await tab.page.close();
  return toText(elements);
}

test("a form is listed with its labels, values and states", async () => {
  const text = await textOf(`<main><h1>Sign up</h1><form>
    <label for=m>Email</label><input id=m type=email value="a@b.c" required>
    <label>Password <input type=password value="secret"></label>
    <label><input type=checkbox checked> Remember me</label>
    <select aria-label=Size><option>S<option selected>M</select>
    <button disabled>Send</button><a href="/x">Terms</a></form></main>`);
  expect(text).toBe(`main
  heading "Sign up" [level=1]
  text "Email"
  textbox "Email" [required] = a@b.c
  text "Password"
  textbox "Password" = ••••••
  checkbox "Remember me" [checked]
  text "Remember me"
  combobox "Size" = M
    option "S"
    option "M" [selected]
  button "Send" [disabled]
  link "Terms"`);
});
