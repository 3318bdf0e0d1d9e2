// Files both ways: downloads as attachments, also under names that want out of their folder, and an
// echo of what was uploaded.
import { createHash } from "node:crypto";
import type { PageRequest } from "../page-server.js";
import { readBody } from "./read-body.js";

const REPORT = "day,sum\n1,20\n2,22\n";
const NAMES: Readonly<Record<string, string>> = {
  "/download/report": "report.csv",
  "/download/evil": "../../evil.txt",
  "/download/umlaut": "Übersicht.csv",
};
const PART_NAME = /name="([^"]*)"(?:; filename="([^"]*)")?/;
const HEAD_END = "\r\n\r\n";
/** The line end before the next boundary. */
const TAIL_CHARS = 2;

export async function answerFiles({ request, response, url }: PageRequest): Promise<boolean> {
  const name = NAMES[url.pathname];
  if (name !== undefined) {
    response.writeHead(200, {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="${name.replace(/[^ -~]/g, "_")}"; filename*=UTF-8''${encodeURIComponent(name)}`,
    });
    response.end(REPORT);
    return true;
  }
  if (url.pathname !== "/upload" || request.method !== "POST") return false;
  const parts = readParts(await readBody(request), request.headers["content-type"] ?? "");
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify({ parts }));
  return true;
}

/** Of a multipart body: each part with its name, its size and the beginning of its SHA-256. */
function readParts(body: Buffer, contentType: string): object[] {
  const boundary = /boundary=(.+)$/.exec(contentType)?.[1];
  if (boundary === undefined) return [];
  // latin1 keeps one character for each byte.
  const texts = body.toString("latin1").split(`--${boundary}`).slice(1, -1);
  return texts.map((text) => {
    const headEnd = text.indexOf(HEAD_END);
    const [, name = "", file] = PART_NAME.exec(text.slice(0, headEnd)) ?? [];
    const content = Buffer.from(
      text.slice(headEnd + HEAD_END.length, text.length - TAIL_CHARS),
      "latin1",
    );
    const sha256 = createHash("sha256").update(content).digest("hex").slice(0, 8);
    return { name, file, bytes: content.length, sha256 };
  });
}
