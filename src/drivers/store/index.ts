// The door of the store driver: state in one SQLite file of the state folder, and its owners.

export {
  type ClaimRequest,
  claimStateFolder,
  type FolderClaim,
  type FolderOwner,
  readFolderOwner,
} from "./owner/claim-folder.js";
export { createProcessMarks, type ProcessMarks } from "./owner/process-mark.js";
export { copyDatabase } from "./sqlite/copy-database.js";
export { createSqliteStore, type SqliteStoreOptions } from "./sqlite/create-store.js";
