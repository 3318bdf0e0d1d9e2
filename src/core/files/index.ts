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
  type FindRealPlace,
  forwardBridge,
  isSameAccess,
  lendBridge,
  type OldFile,
  offerRealPlaces,
  offerWatchedWrite,
  type RealPlace,
  readAccess,
  readAccessOf,
  realPlacesOf,
  type WatchedRequest,
  type WatchedWrite,
  type WholeBridge,
  type WriteWatch,
  type WriteWithAccess,
  watchedWriteOf,
} from "./forward-bridge.js";
export { createFolderMaker, foldersOf } from "./made-folders.js";
export {
  describeMissing,
  explainMissing,
  findVariants,
  listNames,
  lookAround,
  toPlainLetters,
} from "./missing/look-around.js";
export { assertFolderText, assertPathText, assertWholeName, toPlainPath } from "./path-text.js";
export { createNameFinder, howToFree, isClientName, PROTECTED_NAMES } from "./protected-names.js";
export { createProtection, type FileIdentity, type Protection } from "./protection.js";
export { assertRegularFile, assertReplaceable } from "./regular-file.js";
export { assertData, assertListLimit, assertRequest, toBytes } from "./request.js";
export { compileGlob } from "./search/path-glob.js";
export {
  describeWalk,
  listFolder,
  type Place,
  skip,
  statPlace,
  type WalkedEntry,
  type WalkReport,
  walkFolder,
  withNotice,
} from "./search/walk.js";
export { toStat } from "./to-stat.js";
export {
  awaitTurn,
  createTurnQueue,
  type Turn,
  type TurnMode,
  type TurnQueue,
  withFiles,
} from "./with-files.js";
export type { RecordCall } from "./with-recording.js";
