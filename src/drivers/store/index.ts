// The door of the store driver: state in one SQLite file of the state folder, and its owners.

export {
  type ClaimRequest,
  claimStateFolder,
  createProcessMarks,
  type FolderClaim,
  type FolderOwner,
  type ProcessMarks,
  readFolderOwner,
} from "./owner.js";
export { createSqliteStore, type SqliteStoreOptions } from "./sqlite/create-store.js";
export { copyDatabase } from "./sqlite/database.js";
