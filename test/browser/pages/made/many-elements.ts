// A page of as many elements as one likes, of five kinds, to measure listings by. The button on top
// changes one of them.

const KINDS = 5;

export function makeManyElements(count: number): string {
  const parts = Array.from({ length: count }, (_, index) => makeElement(index));
  return `<!doctype html><html lang="en"><title>${count} elements</title>
<button id="change" onclick="changeOne()">Change one</button>
<button disabled>Not now</button><output id="changes">0</output>
<main>${parts.join("\n")}</main>
<script>
  let changes = 0;
  function changeOne() {
    changes++;
    document.querySelector("#changes").textContent = String(changes);
    const button = document.createElement("button");
    button.textContent = "Added " + changes;
    document.querySelector("main").append(button);
  }
</script></html>`;
}

function makeElement(index: number): string {
  const forms = [
    `<button type="button">Button ${index}</button>`,
    `<a href="/orders/${index}">Link ${index}</a>`,
    `<label>Field ${index} <input value="v${index}"></label>`,
    `<label><input type="checkbox"${index % 2 ? " checked" : ""}> Box ${index}</label>`,
    `<p>Paragraph ${index} with some words in it</p>`,
  ];
  return forms[index % KINDS] ?? "";
}
