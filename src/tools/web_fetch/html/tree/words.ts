// What the names of classes say about a block. Names are taken apart at hyphens, underscores and
// capitals, and whole parts are compared, so that `shadow` has nothing to do with `ad`.

/** Around the content: menus, adverts, calls to sign up. A part that begins so. */
const FRAME_STARTS = words(
  "advert breadcrumb catlink colophon cookie copyright crumb disclaimer dropdown facet footer gdpr masthead menu nav(?!al|y) newsletter outbrain pager paginat popup promo(?!nt) recommend related shar(?:e|ing) sidebar sidenav signup skip(?!per) social(?!is) sponsor subscri taboola tagcloud toolbar topbar topnav trending widget",
);
const FRAME_WORDS = words(
  "ad ads banner basket cart consent cta edit editsection foot headerlink interstitial jump legal login metadata modal noprint overlay paywall permalink rail rss search shoutbox side similar taglist tags teaser ticker toc tooltip upsell",
);
const REMARK_STARTS = words(
  "comment(?!ary|ator) disqus discussion remark(?!able) repl(?:y|ies) respond(?!ent) trackback",
);
const BODY_WORDS = words(
  "article blog body column content entry main markdown page post prose story text wrapper wrap container layout grid row",
);
const GOOD_STARTS = words(
  "article blog body content entry hentry markdown main post prose story text",
);
const BAD_WORDS = words("hidden hid media meta outbrain tag tags tool tools utility");
const AUTHOR_STARTS = words(
  "author avatar comhead creator member nick poster profile signature user",
);
/** A name that begins so speaks of a state: `has-sidebar` is not a sidebar. */
const STATE = /^(?:has|no|not|with|without|is|js|hide|show|sticky|off)$/;
/** A name that ends so speaks of a state as well: `CtxtMenu_Attached_0` is a formula with a menu. */
const STATE_END =
  /^(?:attached|active|closed|collapsed|disabled|enabled|expanded|loaded|open|opened|ready|visible)$/;
const NOTE = /(?:^|[\s_-])(?:admonition|callout|note|warning|tip|important|caution)(?:[\s_-]|$)/i;
const POST = /^-(?:question|answer|js-question|js-answer)-$/;
const NUMBERS =
  /(?:^|[\s_-])(?:line-?numbers?(?:-rows)?|linenos?|lineno|gutter|blob-num|rouge-gutter)(?:[\s_-]|$)/i;

export interface ClassSense {
  readonly isFrame: boolean;
  readonly isRemark: boolean;
  readonly isAuthor: boolean;
  readonly isPrice: boolean;
  readonly isPost: boolean;
  readonly weight: number;
}

const NEUTRAL: ClassSense = {
  isFrame: false,
  isRemark: false,
  isAuthor: false,
  isPrice: false,
  isPost: false,
  weight: 0,
};
const WEIGHT = 25;
const MAX_CLASS_CHARS = 300;

const FRAME = matcher({ starts: FRAME_STARTS, words: FRAME_WORDS });
const REMARK = matcher({ starts: REMARK_STARTS, words: [] });
const GOOD = matcher({ starts: GOOD_STARTS, words: [] });
const BAD = matcher({
  starts: [...FRAME_STARTS, ...REMARK_STARTS],
  words: [...FRAME_WORDS, ...BAD_WORDS],
});
const AUTHOR = matcher({ starts: AUTHOR_STARTS, words: ["age", "date", "by", "posted", "name"] });
const BODY: ReadonlySet<string> = new Set(BODY_WORDS);

export function createClassSense(): (className: string | undefined) => ClassSense {
  const known = new Map<string, ClassSense>();
  return (className) => {
    if (className === undefined || className === "") return NEUTRAL;
    const before = known.get(className);
    if (before !== undefined) return before;
    const sense = judgeClass(className.slice(0, MAX_CLASS_CHARS));
    known.set(className, sense);
    return sense;
  };
}

export function isNote(className: string | undefined): boolean {
  return className !== undefined && NOTE.test(className);
}

export function isLineNumbers(className: string | undefined): boolean {
  return className !== undefined && NUMBERS.test(className);
}

function judgeClass(className: string): ClassSense {
  let isFrame = false;
  let isRemark = false;
  let isAuthor = false;
  let isPrice = false;
  let isPost = false;
  let weight = 0;
  for (const name of className.split(/\s+/)) {
    const parts = name
      .replace(/([a-z])([A-Z])/g, "$1-$2")
      .toLowerCase()
      .split(/[-_:]+/)
      .filter(Boolean);
    const last = parts.findLast((part) => !/^\d+$/.test(part)) ?? "";
    if (STATE.test(parts[0] ?? "") || STATE_END.test(last)) continue;
    const joined = `-${parts.join("-")}-`;
    const isBody = BODY.has(parts.at(-1) ?? "");
    isFrame ||= FRAME.test(joined) && !isBody;
    isRemark ||= REMARK.test(joined) && !isBody;
    isAuthor ||= AUTHOR.test(joined);
    isPrice ||= joined.includes("-price-");
    isPost ||= POST.test(joined);
    if (GOOD.test(joined)) weight += WEIGHT;
    if (BAD.test(joined)) weight -= WEIGHT;
  }
  const bounded = Math.max(-WEIGHT, Math.min(WEIGHT, weight));
  return { isFrame, isRemark, isAuthor, isPrice, isPost, weight: bounded };
}

function matcher({
  starts,
  words,
}: {
  starts: readonly string[];
  words: readonly string[];
}): RegExp {
  const whole = words.length === 0 ? "" : `|(?:${words.join("|")})-`;
  return new RegExp(`-(?:(?:${starts.join("|")})${whole})`);
}

function words(list: string): readonly string[] {
  return list.split(" ");
}
