import { expect } from "vitest";
import { EVALUATOR } from "../../src/domain/evidence/evaluation.ts";
import type { Settings } from "../../src/domain/settings/settings.ts";
import { aRole } from "../factories/a-role.ts";
import { rolesOf } from "../factories/some-settings.ts";
import { agentOf } from "./look.ts";
import { aRig, type Rig } from "./rig.ts";
import { type Conversation, call, type Step } from "./scripts.ts";

export const evaluatorRole = aRole({
  name: EVALUATOR,
  evidence: "none",
  triggers: [],
  capabilities: ["read"],
  tools: ["read_issue", "read_pr"],
  prompt: "You doubt.",
});
const WITH_EVALUATOR: Partial<Settings> = { roles: rolesOf(aRole(), evaluatorRole) };
export const submits = (confidence: number, reason = "It reads well."): Step =>
  call("submit_evaluation", { confidence, reason });
/** What the evaluator says when it is shown a claim in whose message this stands. */
export const asked = (about: string, ...steps: readonly Step[]): Conversation => ({
  match: `says that it has done issue #1 of.*${about}`,
  steps: [...steps],
});
export const sure = asked("", submits(0.9));

export const evaluated = (script: readonly Conversation[], settings: Partial<Settings> = {}) =>
  aRig({ script: [...script], settings: { ...WITH_EVALUATOR, ...settings } });
export const evaluations = async (rig: Rig) =>
  (await rig.store.evidence.ofAgent((await agentOf(rig)).id))
    .filter(({ kind }) => kind === "evaluation")
    .map(({ confidence, holds, output }) => [confidence, holds, output]);
export const isEvaluator = (sessionId: string): boolean => sessionId.endsWith("-evaluation");
/** Sessions that were opened for an evaluator. */
export const opened = (rig: Rig) => rig.runtime.opened.filter(({ sessionId }) => isEvaluator(sessionId));
/** The first message of each conversation with an evaluator. */
export const shown = (rig: Rig) =>
  rig.runtime.requests
    .filter(({ length }) => length === 2)
    .flatMap(([, message]) => (message?.content.includes("says that it has done") ? [message.content] : []));
/** Nothing is left of it: no process, no checkout. */
export function gone(rig: Rig): void {
  expect([...rig.runtime.running].filter(isEvaluator)).toEqual([]);
  expect(rig.worktrees.checkouts.size).toBe(0);
}
