// The ARIA roles that are reported, and what holds for them.

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));
const PRESSED =
  "button checkbox link menuitem menuitemcheckbox menuitemradio option radio switch tab";

/** Marks in a text: the text is reported, not they. */
export const INLINE_ROLES = words(
  "code deletion emphasis insertion mark none presentation strong subscript superscript time",
);

/** Someone can act on them. */
export const INTERACTIVE_ROLES = words(
  `${PRESSED} combobox listbox searchbox slider spinbutton textbox treeitem`,
);

/** Their content is their name. */
export const NAMED_BY_CONTENT = words(
  `${PRESSED} caption cell columnheader gridcell heading legend rowheader tooltip treeitem`,
);

/** What is in them is reported by their name alone, but for what can be acted on. */
export const CLOSED_ROLES = words(
  `${PRESSED} img meter progressbar scrollbar searchbox separator slider spinbutton textbox`,
);

/** As a selector. */
export const HEADINGS = "h1,h2,h3,h4,h5,h6,[role=heading]";

/** No heading from before counts in them. */
export const APART_ROLES = words("complementary contentinfo navigation");

/** No heading in them counts after them. */
export const HEADED_ROLES: ReadonlySet<string> = new Set([
  ...APART_ROLES,
  ...words(
    "alertdialog dialog feed grid group list listbox menu table tablist tabpanel tree treegrid",
  ),
]);

/** Reported only when they have a name. */
export const TOLD_BY_NAME = words("group rowgroup form region definition document directory");

/** An author may not name them. */
export const NAMELESS_ROLES = words("generic paragraph");

/** Roles that an attribute may give; others in it are passed over. */
export const KNOWN_ROLES: ReadonlySet<string> = new Set([
  ...INLINE_ROLES,
  ...INTERACTIVE_ROLES,
  ...CLOSED_ROLES,
  ...HEADED_ROLES,
  ...TOLD_BY_NAME,
  ...words(
    "alert application article banner blockquote caption cell columnheader figure generic gridcell heading listitem log main marquee math menubar note paragraph radiogroup row rowheader search status term timer toolbar tooltip",
  ),
]);
