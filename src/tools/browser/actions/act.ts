// `act`: one thing done on a page, and what it changed. Several in one call are left to batch.ts.

import type { PageAction } from "../../../core/browser.js";
import type { ToolResult } from "../../../core/index.js";
import type { ActionCall } from "../action-call.js";
import { type ActFields, mergeFields } from "../request/act-fields.js";
import { type PageKind, readAction, readKind } from "../request/read-act.js";
import {
  type ActPlace,
  closeTab,
  describeAction,
  performAct,
  readPlace,
  sayOutcome,
  showValue,
  toValue,
} from "./act-step.js";
import { batch } from "./batch.js";
import { withListedRefs } from "./listed-names.js";
import { tellChange } from "./tell-change.js";

export async function act(asked: ActionCall): Promise<ToolResult> {
  const { params } = asked.call;
  const { fields, notes } = mergeFields(params.request, params);
  const result = await actAt(readPlace(asked, fields), fields);
  return { ...result, notices: [...notes, ...(result.notices ?? [])] };
}

async function actAt(place: ActPlace, fields: ActFields): Promise<ToolResult> {
  const kind = readKind(fields);
  if (kind === "batch") return batch(place, fields);
  if (kind === "close") return closeTab(place);
  return actOnce(place, await readListed(place, { kind, fields }));
}

/** What is wrong with it is said with what the page has. */
async function readListed(
  place: ActPlace,
  { kind, fields }: { readonly kind: PageKind; readonly fields: ActFields },
): Promise<PageAction> {
  try {
    return readAction(kind, fields);
  } catch (error) {
    throw await withListedRefs(error, place);
  }
}

async function actOnce(place: ActPlace, action: PageAction): Promise<ToolResult> {
  const { change, result, remaining } = await performAct(place, action);
  const shown = showValue(result);
  const said = sayOutcome(action);
  return tellChange({
    change,
    done: describeAction(action),
    ...(said === undefined ? {} : { said }),
    ...("ref" in action && action.ref !== undefined ? { ref: action.ref } : {}),
    lead: shown.text,
    remaining,
    details: { kind: action.kind, ...toValue(result) },
    notices: shown.notices,
  });
}
