// A list of orders over several pages, and one page for each order.

const ORDERS = 47;
const PER_PAGE = 10;
const FIRST_NUMBER = 1001;
const THINGS = ["Kettle", "Lamp", "Desk", "Rake", "Teapot", "Shelf", "Spade"];
const STATES = ["paid", "sent", "returned", "open"];

export function makeOrders(wanted: number): string {
  const pages = Math.ceil(ORDERS / PER_PAGE);
  const page = Math.min(Math.max(1, Math.trunc(wanted)), pages);
  const first = (page - 1) * PER_PAGE;
  const rows = Array.from({ length: Math.min(PER_PAGE, ORDERS - first) }, (_, index) =>
    makeRow(first + index),
  );
  const next = page < pages ? `<a href="/orders?page=${page + 1}" rel="next">Next page</a>` : "";
  const previous = page > 1 ? `<a href="/orders?page=${page - 1}">Previous page</a>` : "";
  return `<!doctype html><html lang="en"><title>Orders, page ${page}</title>
<main><h1>Your orders</h1><p>Page ${page} of ${pages}</p>
<table><thead><tr><th>Number<th>Thing<th>State</thead><tbody>${rows.join("\n")}</tbody></table>
<nav aria-label="Pages">${previous} ${next}</nav></main></html>`;
}

export function makeOrder(number: number): string {
  const index = number - FIRST_NUMBER;
  return `<!doctype html><html lang="en"><title>Order ${number}</title>
<main><h1>Order ${number}</h1><p>${thing(index)}, ${state(index)}</p>
<a href="/orders">All orders</a></main></html>`;
}

function makeRow(index: number): string {
  const number = FIRST_NUMBER + index;
  return `<tr><td><a href="/orders/${number}">Order ${number}</a><td>${thing(index)}<td>${state(index)}`;
}

function thing(index: number): string {
  return THINGS[Math.abs(index) % THINGS.length] ?? "";
}

function state(index: number): string {
  return STATES[Math.abs(index) % STATES.length] ?? "";
}
