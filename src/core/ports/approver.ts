// The port to whoever may say yes or no.

export interface ApprovalRequest {
  readonly toolCallId: string;
  readonly toolName: string;
  /** One line for a person: what wants to happen, and why it must be asked. */
  readonly title: string;
  readonly params: unknown;
}

export interface ApprovalAnswer {
  readonly decision: "allow-once" | "allow-always" | "deny";
  readonly reason?: string;
}

export type Approver = (
  request: ApprovalRequest,
  options: { readonly signal: AbortSignal },
) => Promise<ApprovalAnswer>;
