import type { ApprovalRow, ApprovalVerdict } from "../approval.ts";

/** Calls that people were asked about. */
export interface ApprovalTable {
  /** False when the same call was asked about in the same period already. */
  ask(asked: Omit<ApprovalRow, "id" | "state" | "decidedBy" | "reason" | "decidedAt">): Promise<boolean>;
  get(id: number): Promise<ApprovalRow | undefined>;
  /** Asked in this period of the agent and not answered, oldest first. */
  asked(agentId: number, token: number): Promise<readonly ApprovalRow[]>;
  /** About this call of the agent, in whatever period. */
  latest(agentId: number, hash: string): Promise<ApprovalRow | undefined>;
  /** What was said last of calls of this period. */
  decided(agentId: number, token: number): Promise<ApprovalRow | undefined>;
  /** The agent's plan that a person approved last. */
  plan(agentId: number): Promise<ApprovalRow | undefined>;
  /** Commits of the agent that were held and that a person has approved, oldest first. */
  held(agentId: number): Promise<readonly ApprovalRow[]>;
  /** Only an asked one; false when it was answered before. `edited` = what was approved instead of what was asked. */
  decide(
    verdict: Omit<ApprovalVerdict, "plan">,
    at: number,
    edited?: Pick<ApprovalRow, "input" | "hash">,
  ): Promise<boolean>;
  /** Uses up one granted row of this call; false when there is none. */
  use(agentId: number, hash: string): Promise<boolean>;
}
