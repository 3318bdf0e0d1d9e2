// Fields of equal name in rows, while they are typed into: no key goes on into a row that became another
// one, and what pages write in a row because of the typing is no other row.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createStage, refusal, type Scene, type Stage, scope } from "./stage.js";

let stage: Stage;
let scene: Scene;
beforeAll(async () => {
  stage = await createStage();
});
afterAll(() => stage.close());

interface Rows {
  readonly rows: readonly string[];
  /** What the page does at the first input; `people` are the names, `notes` the rest of each row. */
  readonly does: string;
  readonly on?: string;
}

const page = ({ rows, does, on = "input" }: Rows) => `<ul>${rows
  .map((row) => row.split(" | "))
  .map(
    ([name, note = ""]) => `<li><b>${name}</b> <i>${note}</i> <input aria-label=Amount
    onkeydown="if (event.key === 'Enter') paid.push(people[rowOf(this)].textContent + ' ' + this.value)"></li>`,
  )
  .join("")}</ul><script>window.paid = [];
  const every = (css) => [...document.querySelectorAll(css)];
  const people = every("b"), notes = every("i"), fields = every("input");
  const rowOf = (field) => fields.indexOf(field);
  const put = (nodes, texts) => nodes.forEach((node, at) => { node.textContent = texts[at]; });
  fields[0].addEventListener("${on}", () => { ${does} }, { once: true });</script>`;

const pay = async (rows: Rows, slowly?: true) => {
  scene = await stage.open(page(rows));
  const [{ ref = "" } = {}] = (await scene.listed()).filter(({ name }) => name === "Amount");
  const action = {
    kind: "type",
    ref,
    text: "500",
    submit: true,
    ...(slowly && { slowly }),
  } as const;
  return scene.port.act(action, scope);
};

const MANY = Array.from(
  { length: 40 },
  (_, at) => `Person ${"abcdefgh"[at % 8]}${"klmno"[at >> 3]}`,
);
const SWAPS: readonly (readonly [string, Rows])[] = [
  ["swapped", { rows: ["Alice", "Bob"], does: `put(people, ["Bob", "Alice"]);` }],
  [
    "swapped, with words that stay",
    { rows: ["Alice | active", "Bob | paused"], does: `put(people, ["Bob", "Alice"]);` },
  ],
  [
    "one further up",
    { rows: ["Alice", "Bob", "Carol"], does: `put(people, ["Bob", "Carol", "Dan"]);` },
  ],
  [
    "fewer",
    {
      rows: ["Alice", "Bob"],
      does: `people[0].textContent = "Bob"; people[1].closest("li").remove();`,
    },
  ],
  [
    "swapped, told apart by numbers",
    {
      rows: ["Account 1111", "Account 2222"],
      does: `put(people, ["Account 2222", "Account 1111"]);`,
    },
  ],
  [
    "swapped, with a count of what is typed",
    {
      rows: ["Alice | 0/100", "Bob | 0/100"],
      does: `put(people, ["Bob", "Alice"]); put(notes, ["3/100", "0/100"]);`,
    },
  ],
  [
    "swapped with one that is far away",
    {
      rows: MANY,
      does: `put(people, people.map((each) => each.textContent).reverse());`,
    },
  ],
];

describe.each(SWAPS)("rows that are %s at the first input", (_what, rows) => {
  it.each([undefined, true] as const)("get no Enter (slowly: %s)", async (slowly) => {
    const error = await refusal(pay(rows, slowly));
    expect(error).toMatchObject({ reason: "changed_under_click" });
    expect(error.message).toMatch(/went in, then it became another one/);
    expect(await scene.read("paid")).toEqual([]);
  });
});

describe("rows that are swapped at the first key", () => {
  it("get no more keys", async () => {
    const rows = { rows: ["Alice", "Bob"], on: "keydown", does: `put(people, ["Bob", "Alice"]);` };
    expect((await refusal(pay(rows, true))).reason).toBe("changed_under_click");
    expect(await scene.read("[fields[0].value, paid]")).toEqual(["", []]);
  });
});

describe("Enter that is taken when it goes down", () => {
  it("is done, and the rest of it does not go to the row that came there", async () => {
    const rows = {
      rows: ["Alice", "Bob"],
      does: `fields[0].addEventListener("keydown", () => put(people, ["Bob", "Carol"]));
        fields[0].addEventListener("keypress", () => paid.push("twice"));`,
    };
    const { change } = await pay(rows);
    expect(await scene.read("paid")).toEqual(["Alice 500"]);
    expect(change.events.join()).toMatch(/another one since the last key.*held back/);
  });
});

const ANSWERS: readonly (readonly [string, Rows])[] = [
  ["a count", { rows: ["Alice | 0/100", "Bob | 3/100"], does: `put(notes, ["3/100", "3/100"]);` }],
  [
    "a word that another row has too",
    { rows: ["Alice | required", "Bob | fine"], does: `put(notes, ["fine", "fine"]);` },
  ],
  [
    "a word that is nowhere else",
    { rows: ["Alice | too short", "Bob"], does: `put(notes, ["looks good", ""]);` },
  ],
  [
    "the only words there are",
    { rows: [" | too short", " | too long"], does: `put(notes, ["fine", "fine"]);` },
  ],
  [
    "suggestions with the names of others",
    {
      rows: ["Alice | type", "Bob"],
      does: `notes[0].outerHTML = "<ul><li>Bob</li><li>Carol</li></ul>";`,
    },
  ],
  ["parts of a whole", { rows: ["Alice | 10%", "Bob | 90%"], does: `put(notes, ["90%", "10%"]);` }],
  [
    "a mark that one row has",
    { rows: ["Alice", "Bob | current"], does: `put(notes, ["current", ""]);` },
  ],
  [
    "a row that comes",
    {
      rows: ["Alice | last", "Bob"],
      does: `notes[0].remove(); people[1].closest("li").after("Carol");`,
    },
  ],
];

describe.each(ANSWERS)("a row in which typing makes %s", (_what, rows) => {
  it.each([undefined, true] as const)("gets Enter (slowly: %s)", async (slowly) => {
    await pay(rows, slowly);
    const [name] = rows.rows[0]?.split(" | ") ?? [];
    expect(await scene.read("paid")).toEqual([`${name} 500`]);
  });
});

describe("a row that is alone", () => {
  it("gets Enter, whatever is written in it", async () => {
    await pay({ rows: ["Alice | too short"], does: `put(notes, ["looks good"]);` });
    expect(await scene.read("paid")).toEqual(["Alice 500"]);
  });
});

describe("the button that Enter presses", () => {
  const send = async (before: string, after: string) => {
    scene = await stage.open(`<form onsubmit="sent.push(go.textContent); return false">
      <input aria-label=Note id=note><button id=go>${before}</button></form><script>window.sent = [];
      note.addEventListener("input", () => { go.textContent = "${after}"; });</script>`);
    const ref = await scene.ref("textbox", "Note");
    return scene.port.act({ kind: "type", ref, text: "x", submit: true }, scope);
  };

  it.each([
    ["Save draft", "Delete account"],
    ["Follow", "Unfollow"],
  ])("is not pressed when %s became %s", async (before, after) => {
    const error = await refusal(send(before, after));
    expect(error.message).toMatch(/button that the key presses got another name/);
    expect(await scene.read("sent")).toEqual([]);
  });

  it.each([
    ["Save", "Save changes"],
    ["Send (0)", "Send (1)"],
    ["Post", "Posting…"],
    ["Save", "Saving…"],
  ])("is pressed when %s became %s", async (before, after) => {
    await send(before, after);
    expect(await scene.read("sent")).toEqual([after]);
  });
});
