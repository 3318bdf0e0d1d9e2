// Ten tasks as people have them, written against the roles and names of the test pages.
import type { SeenElement, Target, Task } from "../steps.js";

const button = (name: string | RegExp): Target => ({ role: "button", name });
const link = (name: string | RegExp): Target => ({ role: "link", name });
const field = (name: string, value: string) => ({ role: "textbox", name, value });
const tick = (role: "checkbox" | "radio", name: string) => ({ role, name, value: true as const });

const PRICE = /(\d+\.\d+) €/;
const ORDER = /^Order (\w+) from (North|South)$/;
const COMPARED = "Teapot";

const logIn: Task = {
  name: "log in",
  steps: [
    { open: "/login" },
    { fill: [field("E-mail", "ada@example.org"), field("Password", "correct horse")] },
    { click: { role: "checkbox", name: "Remember me" } },
    { click: button("Sign in") },
    { expect: "Welcome, Ada" },
  ],
};

const searchAndFilter: Task = {
  name: "search and filter",
  steps: [
    { open: "/shop" },
    { type: { role: "searchbox", name: "Search products" }, text: "kettle" },
    { click: { role: "checkbox", name: "Garden" } },
    { fill: [{ role: "combobox", name: "Price up to", value: "50" }] },
    { click: button("Search") },
    { click: button("Add Oak kettle grill to cart"), isNew: true },
    { expect: "Cart: 1 × Oak kettle grill" },
  ],
};

const fillLongForm: Task = {
  name: "fill a long form",
  steps: [
    { open: "/long-form" },
    {
      fill: [
        field("First name", "Ada"),
        field("Last name", "Lovelace"),
        field("Date of birth", "1990-12-10"),
        field("E-mail", "ada@example.org"),
        field("Telephone", "0123 456"),
        field("Street", "Analytical Street"),
        field("Number", "12"),
        field("Postcode", "123"),
        field("Town", "Lyon"),
        { role: "combobox", name: "Country", value: "France" },
        tick("radio", "Harbour"),
        tick("checkbox", "Maps"),
        tick("checkbox", "Music"),
        field("Remarks", "No late fees, please."),
        tick("checkbox", "I know the rules"),
      ],
    },
    { click: button("Apply") },
    { expect: "Postcode: five digits" },
    { fill: [field("Postcode", "69001")] },
    { click: button("Apply") },
    { expect: "Your card waits at Harbour. Interests: maps, music." },
  ],
};

const compareTables: Task = {
  name: "compare two tables",
  steps: [
    { open: "/compare" },
    { choose: (seen) => cheaper(seen, COMPARED) },
    { expect: `Ordered ${COMPARED} from South` },
  ],
};

const bookDate: Task = {
  name: "book a date",
  steps: [
    { open: "/calendar" },
    { click: button("Choose a date") },
    { click: button("Next month") },
    { click: button("Next month") },
    { click: button("16 March 2027") },
    { fill: [{ role: "combobox", name: "From", value: "14:00" }] },
    { click: button("Book") },
    { expect: "Booked for 16 March 2027 at 14:00" },
  ],
};

const editRichText: Task = {
  name: "edit rich text",
  steps: [
    { open: "/editor" },
    { type: { role: "textbox", name: "Title" }, text: "Plan" },
    { type: { role: "textbox", name: "Body" }, text: "Meet at noon" },
    { press: "Control+a" },
    { click: button("Bold") },
    { click: button("Save") },
    { expect: "<b>Meet at noon</b>" },
  ],
};

const moveCard: Task = {
  name: "move a card",
  steps: [
    { open: "/board" },
    {
      drag: { role: "listitem", name: "Write report" },
      to: { role: "region", name: "Done" },
    },
    { expect: "Write report is now in Done" },
  ],
};

/** The files that `upload and check` sends: name and text, to be put into the root. */
export const TASK_FILES: Readonly<Record<string, string>> = { "notes.txt": "twelve chars" };

const uploadAndCheck: Task = {
  name: "upload and check",
  steps: [
    { open: "/upload" },
    { attach: button("Attach a document"), files: ["notes.txt"] },
    { expect: "notes.txt: 12 bytes arrived" },
  ],
};

const followPagination: Task = {
  name: "follow pagination",
  steps: [
    { open: "/orders" },
    { click: link("Next page"), until: "Order 1033", atMost: 5 },
    { click: link("Order 1033") },
    { expect: "Teapot, paid" },
  ],
};

const recoverFromError: Task = {
  name: "recover from an error dialog",
  steps: [
    { open: "/transfer" },
    { fill: [field("To", "Grace"), { role: "spinbutton", name: "Amount", value: "20" }] },
    { click: button("Send") },
    { click: button("Try again") },
    { expect: "Sent 20 € to Grace, receipt TR-2041" },
  ],
};

export const TEN_TASKS: readonly Task[] = [
  logIn,
  searchAndFilter,
  fillLongForm,
  compareTables,
  bookDate,
  editRichText,
  moveCard,
  uploadAndCheck,
  followPagination,
  recoverFromError,
];

/** The button of the shop that wants less; a price stands before its button. */
function cheaper(seen: readonly SeenElement[], thing: string): Target {
  const offers: { readonly shop: string; readonly price: number }[] = [];
  let price = Number.NaN;
  for (const { role, name, line } of seen) {
    const [, ordered, shop] = (role === "button" && ORDER.exec(name)) || [];
    if (ordered === thing && shop !== undefined) offers.push({ shop, price });
    price = Number(PRICE.exec(line)?.[1] ?? price);
  }
  const [best] = offers.sort((left, right) => left.price - right.price);
  if (best === undefined || offers.length !== 2) throw new Error(`Not two prices of ${thing}.`);
  return button(`Order ${thing} from ${best.shop}`);
}
