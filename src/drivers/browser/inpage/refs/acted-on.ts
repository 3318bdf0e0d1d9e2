// Where elements are looked for that have no number yet, and how it is asked whether they are shown.

/** What may be acted on, as CSS. */
export const ACTED_ON =
  "a,button,input,select,textarea,summary,[role],[tabindex],[contenteditable]";
export const DRAWN = { visibilityProperty: true } as const;
