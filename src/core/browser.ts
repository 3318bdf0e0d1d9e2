// The door to the port of browsers: its types, which few rooms use.

export type {
  BrowserFinding,
  BrowserPolicyForce,
  BrowserProfile,
  BrowserScope,
  BrowserStatus,
  Browsers,
  BrowserTab,
  ClosedTab,
  ConsoleEntry,
  FilterProblem,
  NetFilter,
  PageRecords,
  RecordsRequest,
  RequestEntry,
} from "./ports/browser.js";
export type {
  ActOutcome,
  BrowserPage,
  ListedElement,
  ListRequest,
  MovedElement,
  PageAction,
  PageChange,
  PageImage,
  PageListing,
  PageScope,
  SavedFile,
} from "./ports/browser-page.js";
