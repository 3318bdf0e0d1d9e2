// What roles mean for a view.

type IsRole = (role: string) => boolean;

const CELLS = "cell gridcell columnheader rowheader";
const WRAPPERS = "generic none presentation";

function oneOf(line: string): IsRole {
  const roles = new Set(line.split(" "));
  return (role) => roles.has(role);
}

export const isWrapper = oneOf(WRAPPERS);
export const isStructure = oneOf(
  `${WRAPPERS} group list listitem paragraph row rowgroup cell gridcell table grid region document`,
);
export const isCell = oneOf(CELLS);
export const isNamedByContent = oneOf(`${CELLS} row listitem`);
export const isLandmark = oneOf("heading alert alertdialog dialog status");
export const isItem = oneOf("listitem row article treeitem");
export const isPressed = oneOf(
  "button link checkbox radio switch tab option combobox menuitem menuitemcheckbox menuitemradio",
);
