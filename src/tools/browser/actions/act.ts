// `act`: one thing done on a page, and what it changed. Several in one call are left to batch.ts.

import type { PageAction } from "../../../core/browser.js";
import type { ToolResult } from "../../../core/index.js";
import type { ActionCall } from "../action-call.js";
import { type ActFields, mergeFields } from "../request/act-fields.js";
import { readAction, readKind } from "../request/read-act.js";
import { readNumber, readText } from "../request/read-value.js";
import {
  type ActPlace,
  closeTab,
  describeAction,
  showValue,
  toActScope,
  toValue,
} from "./act-step.js";
import { batch } from "./batch.js";
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
  return actOnce(place, readAction(kind, fields));
}

function readPlace({ call, browsers, scope }: ActionCall, fields: ActFields): ActPlace {
  const { targetId, timeoutMs } = fields;
  return {
    call,
    browsers,
    scope: {
      ...scope,
      ...(targetId === undefined ? {} : { targetId: readText(targetId, "targetId") }),
      ...(timeoutMs === undefined ? {} : { timeoutMs: readNumber(timeoutMs, "timeoutMs") }),
    },
  };
}

async function actOnce({ browsers, scope }: ActPlace, action: PageAction): Promise<ToolResult> {
  const page = await browsers.page(scope);
  const { change, result } = await page.act(action, toActScope(scope));
  const shown = showValue(result);
  return tellChange({
    change,
    done: describeAction(action),
    lead: shown.text,
    details: { kind: action.kind, ...toValue(result) },
    notices: shown.notices,
  });
}
