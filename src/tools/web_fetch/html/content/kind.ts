// What kind of page this is, as far as that changes how it is read: a forum, a manual, a list of
// links, a shell that scripts would fill. Reported by its structure, never by its address.

import { lineText } from "../text/plain-text.js";
import { isDataTable } from "../text/table.js";
import {
  attributesOf,
  charsIn,
  isInside,
  linkShare,
  type Measures,
  proseIn,
  type Sums,
} from "../tree/measure.js";
import { at, FRAME, flagsOf, HTML, isBlock } from "../tree/tags.js";
import { type Marks, readMarks, readStructuredData, type StructuredData } from "./marks.js";

const SHELL_CHARS = 250;
const BARE_CHARS = 40;
const WANTS_SCRIPTS = /javascript|java script|scripts?\b/i;
const APP_ROOTS: ReadonlySet<string> = new Set([
  "root",
  "app",
  "__next",
  "__nuxt",
  "svelte",
  "gatsby",
]);

const MIN_POSTS = 3;
const SIGNED_SHARE = 0.7;
const MIN_ENTRIES = 8;
const MIN_GROUP_SHARE = 0.35;
const MAX_OUTSIDE_CHARS = 300;
const MAX_OUTSIDE_SHARE = 0.2;
const COMMENT = /(?:^|\s)comment(?:\s|$)|Comment$/;

export type PageKind =
  | "article"
  | "forum"
  | "docs"
  | "index"
  | "paywall"
  | "consent-wall"
  | "robot-check"
  | "script-shell"
  | "script-shell-data";

export interface KindFinding {
  readonly kind: PageKind;
  readonly members: readonly number[];
  readonly data: StructuredData;
}

export function findKind(measures: Measures, sums: Sums): KindFinding {
  const data = readStructuredData(measures.page.data);
  const tell = (kind: PageKind, members: readonly number[] = []) => ({ kind, members, data });
  if (isRobotCheck(measures)) return tell("robot-check");
  if (isShell(measures))
    return tell(data.articleBody === undefined ? "script-shell" : "script-shell-data");
  const view = { measures, sums, marks: readMarks(measures) };
  const posts = listPosts(view);
  if (posts.length >= 2) return tell("forum", withQuestion(view, posts));
  const groups = listGroups(measures, sums);
  const entries = groups.find((group) => isEntryList(view, group));
  if (entries !== undefined) return tell("index", entries.members);
  const thread = groups.find((group) => isThread(view, group));
  if (thread !== undefined) return tell("forum", withQuestion(view, thread.members));
  return tell(view.marks.isManual ? "docs" : "article");
}

function isShell({ page, visibleChars }: Measures): boolean {
  if (visibleChars >= SHELL_CHARS || page.scriptCount === 0) return false;
  if (visibleChars < BARE_CHARS || WANTS_SCRIPTS.test(page.noscriptText)) return true;
  return page.attributes.some(({ id }) => id !== undefined && APP_ROOTS.has(id));
}

interface View {
  readonly measures: Measures;
  readonly sums: Sums;
  readonly marks: Marks;
}

/** Those by name alone must be signed, for a list of questions has such names too. */
function listPosts(view: View): readonly number[] {
  const { measures, sums, marks } = view;
  const posts = [...marks.posts, ...marks.named.filter((node) => isSigned(view, node))]
    .filter((node) => charsIn(measures, sums, node) > 0)
    .sort((one, other) => one - other);
  return areComments(view, posts) ? [] : posts;
}

function isSigned({ measures, marks }: View, node: number): boolean {
  return countIn(measures, marks.authors, node) > 0;
}

function areComments({ measures, sums, marks }: View, members: readonly number[]): boolean {
  const { page } = measures;
  const isComment = (node: number) => {
    const { itemtype = "", itemprop = "" } = attributesOf(page, node);
    if (COMMENT.test(itemtype) || COMMENT.test(itemprop)) return true;
    return [node, at(page.parents, node)].some((one) => measures.senseOf(one).isRemark);
  };
  if (!members.every(isComment)) return false;
  return marks.articles.some((article) => {
    if (members.some((node) => isInside(measures, article, node))) return false;
    const inside = members.filter((node) => isInside(measures, node, article));
    const remarks = inside.reduce((sum, node) => sum + proseIn(measures, sums, node), 0);
    return proseIn(measures, sums, article) - remarks > MAX_OUTSIDE_CHARS;
  });
}

/** Prose between the title of the page and the first post is what the posts are about. */
function withQuestion(
  { measures, sums, marks: { title } }: View,
  members: readonly number[],
): readonly number[] {
  const [first = 0] = members;
  if (title === undefined || title >= first) return members;
  const from = at(measures.page.ends, title);
  const isAsked = from < first && at(sums.prose, first) > at(sums.prose, from);
  return isAsked ? [title, ...members] : members;
}

interface Group {
  readonly parent: number;
  readonly members: number[];
  chars: number;
}

function listGroups(measures: Measures, sums: Sums): readonly Group[] {
  const { page, dropped, blockChildren } = measures;
  const groups = new Map<string, Group>();
  const leastChars = measures.visibleChars * MIN_GROUP_SHARE;
  for (let node = 1; node < page.count; node++) {
    if (at(dropped, node) === 1) {
      node = at(page.ends, node) - 1;
      continue;
    }
    const parent = at(page.parents, node);
    const tag = at(page.tags, node);
    if (
      !isBlock(tag) ||
      tag === HTML.p ||
      at(blockChildren, at(measures.blocks, parent)) < MIN_POSTS
    )
      continue;
    if (charsIn(measures, sums, parent) < leastChars) continue;
    const chars = charsIn(measures, sums, node);
    if (chars === 0) continue;
    // Boards give every other post another colour.
    const name = (attributesOf(page, node).className ?? "").replace(/\d+|\b(?:odd|even)\b/g, "");
    const key = `${parent} ${tag} ${name}`;
    const group = groups.get(key) ?? { parent, members: [], chars: 0 };
    group.members.push(node);
    group.chars += chars;
    groups.set(key, group);
  }
  return [...groups.values()]
    .filter(({ members, chars }) => members.length >= MIN_POSTS && chars >= leastChars)
    .filter(({ members }) => !areDataRows(measures, members))
    .sort((one, other) => other.chars - one.chars);
}

/** They belong together, so they are not entries. */
function areDataRows(measures: Measures, [first = 0]: readonly number[]): boolean {
  const { tags, parents } = measures.page;
  if (at(tags, first) !== HTML.tr) return false;
  let table = at(parents, first);
  while (table > 0 && at(tags, table) !== HTML.table) table = at(parents, table);
  return table > 0 && isDataTable(measures, table);
}

function isEntryList(view: View, group: Group): boolean {
  const { measures, sums, marks } = view;
  const { members, parent } = group;
  if (members.length < MIN_ENTRIES || hasProseOutside(view, group)) return false;
  if (isMenu(measures, sums, parent)) return false;
  const linked = members.filter((node) => countIn(measures, marks.headingLinks, node) > 0);
  if (linked.length >= members.length * 0.7) return true;
  return linkShare(measures, sums, parent) > 0.4;
}

/** Links next to something to read, however short that is. */
function isMenu(measures: Measures, sums: Sums, list: number): boolean {
  const { page } = measures;
  for (let node = list; node > 0; node = at(page.parents, node)) {
    if ((flagsOf(at(page.tags, node)) & FRAME) === 0 && !measures.senseOf(node).isFrame) continue;
    return measures.visibleChars - charsIn(measures, sums, node) >= BARE_CHARS;
  }
  return false;
}

function isThread(view: View, group: Group): boolean {
  const { members } = group;
  if (hasProseOutside(view, group) || areComments(view, members)) return false;
  const signed = members.filter((node) => isSigned(view, node));
  return signed.length >= members.length * SIGNED_SHARE;
}

function hasProseOutside({ measures, sums }: View, { parent, chars }: Group): boolean {
  const outside = proseIn(measures, sums, 0) - proseIn(measures, sums, parent);
  return outside > Math.max(MAX_OUTSIDE_CHARS, chars * MAX_OUTSIDE_SHARE);
}

function countIn({ page }: Measures, counts: Int32Array, node: number): number {
  return at(counts, at(page.ends, node)) - at(counts, node);
}

const MAX_CHARS = 1_000;
const TITLE =
  /^\s*(?:just a moment|attention required|one more step|are you a robot|are you human|access denied|robot check|security check|verify(?:ing)? you are human|checking your browser|please wait\b.{0,30}\bverif|captcha)/i;
const SAYS =
  /enable javascript and cookies to continue|verif(?:y|ying) (?:that )?you(?:'| a)re (?:a )?human|checking (?:if the site connection is secure|your browser before)|(?:complete|solve) the (?:captcha|security check)|unusual traffic from your (?:computer )?network|(?:prove|confirm) (?:that )?you(?:'| a)re (?:not a robot|human)|i(?:'| a)m not a robot|press (?:and|&) hold to confirm/i;
const MAX_TITLED_CHARS = 500;

function isRobotCheck(measures: Measures): boolean {
  const { page, visibleChars } = measures;
  if (visibleChars > MAX_CHARS) return false;
  if (TITLE.test(page.title) && visibleChars <= MAX_TITLED_CHARS) return true;
  const said = `${page.noscriptText} ${lineText(measures, 0)}`;
  return SAYS.test(said.replace(/\u2019/g, "'").replace(/\s+/g, " "));
}
