// Who a sandboxed command is. Root gives itself up for the owner of the workspace, who can write
// there and is counted against limits; everyone else stays who they are.

import { statSync } from "node:fs";
import { dirname } from "node:path";

const OWNER_SEARCH = 0o100;
const GROUP_SEARCH = 0o010;
const OTHERS_SEARCH = 0o001;

export interface SandboxIdentity {
  readonly userId: number;
  readonly groupId: number;
  /** Root must change to it before the sandbox begins. */
  readonly isOther: boolean;
}

export function chooseIdentity(root: string): SandboxIdentity {
  const userId = process.getuid?.() ?? 0;
  const groupId = process.getgid?.() ?? 0;
  if (userId !== 0) return { userId, groupId, isOther: false };
  const owner = statSync(root);
  if (owner.uid === 0) return { userId, groupId, isOther: false };
  return { userId: owner.uid, groupId: owner.gid, isOther: true };
}

/** Whether this user may walk to `path`; of this process itself the system is asked later anyway. */
export function canReach(path: string, identity: SandboxIdentity): boolean {
  if (!identity.isOther) return true;
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (!canSearch(folder, identity)) return false;
    if (folder === dirname(folder)) return true;
  }
}

function canSearch(folder: string, { userId, groupId }: SandboxIdentity): boolean {
  const { mode, uid, gid } = statSync(folder);
  if (uid === userId) return (mode & OWNER_SEARCH) !== 0;
  if (gid === groupId) return (mode & GROUP_SEARCH) !== 0;
  return (mode & OTHERS_SEARCH) !== 0;
}
