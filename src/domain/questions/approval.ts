import type { Risk } from "../access/risk.ts";

/** Why a person is asked: a call is risky, or a plan comes before the work. */
type ApprovalKind = Risk["kind"] | "plan" | "held_commit";

/**
 * A call that a person was asked about. `token` is the agent's when it asked: what an earlier period asked and nobody
 * answered is asked again. An approved one lets exactly this call, by its hash, pass once; then it is used. A plan is the
 * call of `submit_plan`, and stays granted as long as its agent lives.
 */
export interface ApprovalRow {
  readonly id: number;
  readonly agentId: number;
  readonly token: number;
  readonly state: "asked" | "granted" | "used" | "denied";
  readonly kind: ApprovalKind;
  readonly detail: string;
  readonly tool: string;
  /** The arguments, or the plan, as people may see them: without secrets, cut. */
  readonly input: string;
  /** SHA-256 in hex of tool and arguments. */
  readonly hash: string;
  readonly decidedBy: string | null;
  readonly reason: string | null;
  readonly createdAt: number;
  readonly decidedAt: number | null;
}

/** What a person says of an asked call. */
export interface ApprovalVerdict {
  readonly id: number;
  readonly state: "granted" | "denied";
  readonly by: string;
  readonly reason: string | null;
  /** The plan as the person wrote it, where it was edited: it is what was approved. */
  readonly plan?: { readonly agentId: number; readonly text: string };
}

/** As much of a hash as people write. */
export const SHORT_HASH = 12;

/** Tool and arguments as one text; the order of keys does not matter. */
export function canonicalCall(call: { readonly toolName: string; readonly args: unknown }): string {
  return `${call.toolName}\n${JSON.stringify(sorted(call.args)) ?? ""}`;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]));
}

const WHY: Readonly<Record<ApprovalKind, string>> = {
  deletes_outside: "it deletes outside the worktree",
  network: "it uses the network",
  protected_path: "it changes a protected path",
  plan: "it is the plan of the work",
  held_commit: "it would put on the branch what a person should see first",
};

/** Why a person is asked, in words. */
export function riskText({ kind, detail }: Pick<ApprovalRow, "kind" | "detail">): string {
  return `${WHY[kind]} (${detail})`;
}
