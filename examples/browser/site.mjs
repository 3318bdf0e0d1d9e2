// A small site to try `browser` on: a log in, a long form, a list, files. docs/browser.md walks through it.
// Run: node examples/browser/site.mjs [port]
import { createServer } from "node:http";

const DEFAULT_PORT = 3100;

const LOG_IN = `<form method=post><label>User <input name=user></label>
<label>Password <input name=password type=password></label><button>Log in</button></form>`;
const FORM = `<form method=post><label>Name <input name=name required></label>
<label>E-mail <input name=mail type=email></label><label>Birthday <input name=born type=date></label>
<label>Country <select name=country><option>France<option>Norway<option>Peru</select></label>
<label><input type=radio name=plan value=small>Small</label>
<label><input type=radio name=plan value=large>Large</label>
<label><input type=checkbox name=news>Newsletter</label><button>Send</button></form>`;
const LIST = `<form onsubmit="event.preventDefault(); const item = document.createElement('li');
item.textContent = this.elements[0].value; document.querySelector('ul').append(item); this.reset()">
<label>Item <input></label><button>Add</button></form><ul></ul>`;
const FILES = `<form method=post enctype=multipart/form-data><label>File <input name=file type=file></label>
<button>Send</button></form><a href=/report.csv download>Report</a>`;
const ACCOUNT = `<p>Welcome, ada.</p><nav><a href=/form>Form</a> <a href=/list>List</a>
<a href=/files>Files</a></nav>`;

/** @type {Readonly<Record<string, { title: string, body: string }>>} */
const PAGES = {
  "/": { title: "Log in", body: LOG_IN },
  "/account": { title: "Account", body: ACCOUNT },
  "/form": { title: "Sign up", body: FORM },
  "/list": { title: "Shopping", body: LIST },
  "/files": { title: "Files", body: FILES },
};

const server = createServer(async (request, response) => {
  const { url = "/", method } = request;
  if (url === "/report.csv") {
    response.writeHead(200, { "content-type": "text/csv" }).end("name,age\nada,36\n");
    return;
  }
  const sent = method === "POST" ? await readBody(request) : undefined;
  if (url === "/" && sent !== undefined && new URLSearchParams(sent).get("password") === "sesame") {
    response.writeHead(303, { location: "/account" }).end();
    return;
  }
  const page = sent === undefined ? PAGES[url] : { title: "Answer", body: answer(url, sent) };
  response.writeHead(page === undefined ? 404 : 200, { "content-type": "text/html" });
  response.end(
    page && `<!doctype html><title>${page.title}</title><h1>${page.title}</h1>${page.body}`,
  );
});

server.listen(Number(process.argv[2] ?? DEFAULT_PORT), "127.0.0.1", () => {
  const address = server.address();
  if (typeof address === "object") console.log(`http://127.0.0.1:${address?.port}/`);
});

/** @param {import("node:http").IncomingMessage} request */
async function readBody(request) {
  const parts = await request.setEncoding("utf8").toArray();
  return parts.join("");
}

/**
 * @param {string} url
 * @param {string} sent
 */
function answer(url, sent) {
  if (url === "/") return `<p role=alert>Wrong password.</p>${LOG_IN}`;
  if (url === "/files") return `<p>Got ${/filename="([^"]*)"/.exec(sent)?.[1]}.</p>`;
  const rows = [...new URLSearchParams(sent)].map(([name, value]) => `<li>${name}: ${value}</li>`);
  return `<ul>${rows.join("")}</ul>`;
}
