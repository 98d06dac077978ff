import type { Risk } from "../access/risk.ts";
import { fenced, oneLine } from "../messages/format.ts";
import { personNamed } from "../status/person-named.ts";

/** Why a person is asked: a call is risky, a plan comes before the work, a commit is held, or a claim is. */
type ApprovalKind = Risk["kind"] | "plan" | "held_commit" | "weakened_tests";

/**
 * A call that a person was asked about. `token` is the agent's at that time: an unanswered call of an earlier period is
 * asked again. An approved row lets exactly this call, by its hash, pass once, and is then used. A plan is the call of
 * `submit_plan`, and stays granted as long as its agent lives.
 */
export interface ApprovalRow {
  readonly id: number;
  readonly agentId: number;
  readonly token: number;
  readonly state: "asked" | "granted" | "used" | "denied";
  readonly kind: ApprovalKind;
  readonly detail: string;
  readonly tool: string;
  /** The arguments, or the plan, as people may see them: redacted and cut. */
  readonly input: string;
  /** SHA-256 in hex of tool and arguments. */
  readonly hash: string;
  readonly decidedBy: string | null;
  readonly reason: string | null;
  readonly createdAt: number;
  readonly decidedAt: number | null;
}

const LATER: readonly ApprovalKind[] = ["deletes_outside", "network", "protected_path", "mcp_server"];

/** Returns whether an approval lets one call pass, which the agent makes later. The others take effect at once. */
export function isUsedLater({ kind }: Pick<ApprovalRow, "kind">): boolean {
  return LATER.includes(kind);
}

/** A person's answer about a call. */
export interface ApprovalVerdict {
  readonly id: number;
  readonly state: "granted" | "denied";
  readonly by: string;
  readonly reason: string | null;
  /** The plan as the person edited it: that text is approved. */
  readonly plan?: { readonly agentId: number; readonly text: string };
}

/** Returns what an agent reads, and the audit keeps, of a call that a person refused. */
export function saidNo(reason: string | null): string {
  return `A person said no to this call: ${reason}`;
}

/** Who closes a question whose agent has ended. */
export const CLOSED_BY = "flotilla";

/** Returns why a question about a call, or a plan, takes no answer any more. */
export function closedText({ state, kind, decidedBy }: ApprovalRow): string {
  const what = kind === "plan" ? "That plan" : "That call";
  if (state === "asked") return `${what} needs no answer any more: its agent has continued without it`;
  if (decidedBy === null || decidedBy === CLOSED_BY)
    return `${what} needs no answer any more: its agent has ended`;
  return `${what} was already ${state === "denied" ? "refused" : "approved"} by ${personNamed(decidedBy)}`;
}

/** Characters of a hash that people write. */
export const SHORT_HASH = 12;

/** Returns tool and arguments as one text; the order of keys does not matter. */
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
  mcp_server: "it asks an MCP server, which may act outside of the sandbox",
  plan: "it is the plan of the work",
  held_commit: "it would put on the branch what a person should see first",
  weakened_tests: "its work may weaken the tests",
};

/** Returns why a person is asked, in words. */
export function riskText({ kind, detail }: Pick<ApprovalRow, "kind" | "detail">): string {
  return `${WHY[kind]} (${detail})`;
}

const named = ({ tool, hash }: ApprovalRow) => `${tool} ${hash.slice(0, SHORT_HASH)}`;

/** Returns what people are asked about, by name: calls by tool and hash, and the plan. */
export function callsText(rows: readonly ApprovalRow[]): string {
  return rows.map((row) => (row.kind === "plan" ? "the plan" : `\`${named(row)}\``)).join(", ");
}

/** Calls that are named in one line. */
const NAMED = 3;

/** Returns in one line what an agent waits for: one call with its risk, or several by tool and hash. */
export function askedText(first: ApprovalRow, others: readonly ApprovalRow[]): string {
  if (others.length === 0) return `${named(first)}: ${riskText(first)}`;
  const all = [first, ...others];
  const more = all.length > NAMED ? `, and ${all.length - NAMED} more` : "";
  return `${all.length} calls, ${all.slice(0, NAMED).map(named).join(", ")}${more}`;
}

/**
 * Returns the comment at a risky call: tool, arguments as a code block that they cannot end, hash, and the commands.
 */
export function approvalComment(role: string, asked: readonly ApprovalRow[]): string {
  const [first] = asked;
  const hash = first?.hash.slice(0, SHORT_HASH) ?? "";
  return [
    `**${role}** asks a person for permission before it continues.`,
    ...asked.flatMap((row) => [
      "",
      `\`${row.tool}\` \`${row.hash.slice(0, SHORT_HASH)}\`: ${oneLine(riskText(row))}`,
      "",
      fenced(row.input),
    ]),
    "",
    asked.length > 1
      ? `\`/flotilla approve ${hash}\` allows exactly the call with that hash, once; \`/flotilla deny <reason>\` refuses the rest and tells the agent why. The agent continues when each of these calls is answered; \`/flotilla cancel\` ends it.`
      : `\`/flotilla approve ${hash}\` allows exactly this call, once; \`/flotilla deny <reason>\` refuses it and tells the agent why; \`/flotilla cancel\` ends the agent.`,
  ].join("\n");
}
