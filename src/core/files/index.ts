// The door for file tools, apart from core's door, so that importing the library does not load it.

export type { RecordCall } from "./call-line.js";
export {
  assertRegularFile,
  assertReplaceable,
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
export {
  describeMissing,
  explainMissing,
  findVariants,
  listNames,
  lookAround,
  toPlainLetters,
} from "./look-around.js";
export { createFolderMaker } from "./made-folders.js";
export { findNearestLines } from "./nearest-lines.js";
export { compileGlob } from "./path-glob.js";
export {
  createNameFinder,
  createProtection,
  type FileIdentity,
  howToFree,
  isClientName,
  PROTECTED_NAMES,
  type Protection,
} from "./protection.js";
export {
  assertData,
  assertFolderText,
  assertListLimit,
  assertPathText,
  assertRequest,
  assertWholeName,
  toBytes,
  toPlainPath,
  toStat,
} from "./request.js";
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
} from "./walk.js";
export {
  awaitTurn,
  createTurnQueue,
  type Turn,
  type TurnMode,
  type TurnQueue,
  withFiles,
} from "./with-files.js";
