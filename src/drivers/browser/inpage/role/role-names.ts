// The ARIA roles that are told, and what holds for them.

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/** Roles that an attribute may give; others in it are passed over. */
export const KNOWN_ROLES = words(
  "alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox complementary contentinfo definition deletion dialog directory document emphasis feed figure form generic grid gridcell group heading img insertion link list listbox listitem log main mark marquee math menu menubar menuitem menuitemcheckbox menuitemradio meter navigation none note option paragraph presentation progressbar radio radiogroup region row rowgroup rowheader scrollbar search searchbox separator slider spinbutton status strong subscript superscript switch tab table tablist tabpanel term textbox time timer toolbar tooltip tree treegrid treeitem",
);

/** Marks in a text: the text is told, not they. */
export const INLINE_ROLES = words(
  "code deletion emphasis insertion mark none presentation strong subscript superscript time",
);

/** Somebody can act on them. */
export const INTERACTIVE_ROLES = words(
  "button checkbox combobox link listbox menuitem menuitemcheckbox menuitemradio option radio searchbox slider spinbutton switch tab textbox treeitem",
);

/** Their content is their name. */
export const NAMED_BY_CONTENT = words(
  "button caption cell checkbox columnheader gridcell heading legend link menuitem menuitemcheckbox menuitemradio option radio rowheader switch tab tooltip treeitem",
);

/** What stands in them is told by their name alone, but for what can be acted on. */
export const CLOSED_ROLES = words(
  "button checkbox img link menuitem menuitemcheckbox menuitemradio meter option progressbar radio scrollbar searchbox separator slider spinbutton switch tab textbox",
);

/** Told only when they have a name. */
export const TOLD_BY_NAME = words("group rowgroup form region definition document directory");

/** An author may not name them. */
export const NAMELESS_ROLES = words("generic paragraph");
