// A log-in with a session cookie: /login asks, /account answers only those who have one.
import { randomUUID } from "node:crypto";
import type { PageRequest } from "../page-server.js";
import { readBody } from "./read-body.js";

const EMAIL = "ada@example.org";
const PASSWORD = "correct horse";
const COOKIE = "session=";

export async function answerLogin({ request, response, url }: PageRequest): Promise<boolean> {
  if (url.pathname === "/account") {
    const isKnown = request.headers.cookie?.includes(COOKIE) === true;
    if (!isKnown) response.writeHead(303, { location: "/login" }).end();
    else response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(ACCOUNT);
    return true;
  }
  if (url.pathname === "/logout") {
    response.writeHead(303, { location: "/login", "set-cookie": `${COOKIE}; Max-Age=0; Path=/` });
    response.end();
    return true;
  }
  if (url.pathname !== "/login" || request.method !== "POST") return false;
  const form = new URLSearchParams((await readBody(request)).toString("utf8"));
  const isRight = form.get("email") === EMAIL && form.get("password") === PASSWORD;
  const cookie = { "set-cookie": `${COOKIE}${randomUUID()}; HttpOnly; Path=/` };
  if (isRight) response.writeHead(303, { location: "/account", ...cookie }).end();
  else response.writeHead(303, { location: "/login?wrong=1" }).end();
  return true;
}

const ACCOUNT = `<!doctype html><html lang="en"><title>Your account</title>
<nav aria-label="Account"><a href="/orders">Orders</a> <a href="/account">Profile</a> <a href="/logout">Sign out</a></nav>
<main><h1>Welcome, Ada</h1><p>You have 47 orders and no open invoice.</p>
<h2>Address</h2><p>12 Analytical Street, London</p></main></html>`;
