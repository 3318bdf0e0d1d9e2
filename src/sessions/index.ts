// The door of sessions: keys, rows, transcripts and inboxes. What runs in a session is in `agent`.

export {
  checkLabel,
  type DeliveryRoute,
  type FoundEntry,
  type SessionEntry,
} from "./entry.js";
export { type Fold, type OpenCall, textOfContent } from "./fold.js";
export { clearMail, listMail, pushOperations, readInbox, type WaitingItem } from "./inbox.js";
export {
  isMainSession,
  isSubagentKey,
  kindOfSession,
  mainSessionKey,
  parseSessionKey,
  toAgentId,
} from "./key.js";
export { isRace, isStale, retryRace } from "./races.js";
export type {
  AssistantContent,
  AssistantRecord,
  EndRecord,
  InboxItem,
  OpenRun,
  ResultRecord,
  StoredRecord,
  TranscriptRecord,
  UserContent,
  UserRecord,
} from "./records.js";
export {
  createSessionStore,
  matchSessions,
  type SessionStore,
  toSessionRow,
} from "./session-store.js";
export { readTranscript, type Transcript } from "./transcript.js";
export {
  ancestorsOf,
  displayKey,
  findAgentRefusal,
  findRefusal,
  readVisibilityRules,
  type VisibilityRules,
} from "./visibility.js";
