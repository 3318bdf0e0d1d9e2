// The door of what file tools share. Apart from the door of core, because importing the library must
// not load it.

export {
  fileClosed,
  fileMissing,
  fileOnTheWay,
  folderNotEmpty,
  isDirectory,
  notDirectory,
  notRegularFile,
  outsideRoot,
  pathInvalid,
  pathProtected,
  pathSealed,
  rootKept,
} from "./errors.js";
export {
  type FileAccess,
  type FileWithAccess,
  isSameAccess,
  readAccess,
  readAccessOf,
  type WriteWithAccess,
} from "./file-access.js";
export { forwardBridge, lendBridge, type WholeBridge } from "./forward-bridge.js";
export { createFolderMaker, foldersOf } from "./made-folders.js";
export { listNames } from "./missing/list-names.js";
export { describeMissing, explainMissing, lookAround } from "./missing/look-around.js";
export { findVariants, toPlainLetters } from "./missing/near-names.js";
export { assertFolderText, assertPathText, assertWholeName, toPlainPath } from "./path-text.js";
export { createNameFinder, howToFree, isClientName, PROTECTED_NAMES } from "./protected-names.js";
export { createProtection, type FileIdentity, type Protection } from "./protection.js";
export {
  type FindRealPlace,
  offerRealPlaces,
  type RealPlace,
  realPlacesOf,
} from "./real-place.js";
export { assertRegularFile, assertReplaceable } from "./regular-file.js";
export { assertData, assertListLimit, assertRequest } from "./request.js";
export { toBytes } from "./to-bytes.js";
export { toStat } from "./to-stat.js";
export {
  awaitTurn,
  createTurnQueue,
  type Turn,
  type TurnMode,
  type TurnQueue,
} from "./turn-queue.js";
export {
  type OldFile,
  offerWatchedWrite,
  type WatchedRequest,
  type WatchedWrite,
  type WriteWatch,
  watchedWriteOf,
} from "./watched-write.js";
export { withFiles } from "./with-files.js";
export type { RecordCall } from "./with-recording.js";
