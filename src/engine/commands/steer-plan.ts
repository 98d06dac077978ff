import { OperationError } from "../../domain/commands/operation-fault.ts";
import { parseFullName } from "../../domain/kernel/repository.ts";
import { wouldChange } from "../../domain/kernel/would-change.ts";
import { aborts, steersSprints } from "../../domain/planning/on-plan.ts";
import { type PlanVerb, stateOfPlan, steeredAt } from "../../domain/planning/planned-work.ts";
import { readIssueState } from "../events/issue-state.ts";
import { advance } from "../kernel/advance.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { operationName } from "../kernel/operation-name.ts";

/** An operator's act on the goal that an issue tracks, or on the issue's sprint where that has no goal. */
export interface PlanAct {
  /** `owner/name`. */
  readonly repository: string;
  readonly issue: number;
  readonly verb: PlanVerb;
  /** Chosen by the caller and unique. */
  readonly id: string;
  /** A login, or `operator:<account>`. */
  readonly by: string;
  readonly reason: string | null;
}

/** A goal or a sprint after an act on it. */
export interface PlanSteered {
  readonly key: string;
  readonly state: string;
}

/** Carries out `/flotilla checkpoint`, `continue` and `abort` on that issue. Throws `OperationError`. */
export async function steerPlan(context: EngineContext, act: PlanAct): Promise<PlanSteered> {
  const { store } = context;
  const { repository: name, issue, verb } = act;
  const parsed = parseFullName(name);
  const repository = parsed && (await store.repositories.byName(parsed.owner, parsed.name));
  const none = new OperationError({ code: "not_found", what: `goal or sprint at ${name}#${issue}` });
  if (repository === undefined) throw none;
  const view = await readIssueState(context, repository, issue);
  const { goal, sprints } = view.plan;
  if (goal === null && sprints.length === 0) {
    const past = await store.plans.ofIssue(repository.id, issue);
    if (past === undefined) throw none;
    const hint = "`flotilla goals list` shows those that are not over";
    throw new OperationError({ code: "not_steered", why: `it is ${stateOfPlan(past)} already`, hint });
  }
  const at = context.clock.now();
  const cause = { at, actor: { login: act.by } };
  const reason = act.reason ?? "";
  const changes = verb === "abort" ? aborts(cause, view, reason) : steersSprints(verb, cause, view, reason);
  const [decision] = changes.decisions;
  if (changes.moves.length === 0 && decision !== undefined)
    throw new OperationError({
      code: "not_steered",
      why: decision.reason,
      hint: decision.change ?? "`flotilla goals show` tells where it stands",
    });
  const { moved, refused } = await advance(context, {
    at,
    repositoryId: repository.id,
    issue,
    delivery: null,
    name: operationName(act.id),
    changes,
  });
  const [refusal] = moved.length === 0 ? refused : [];
  if (refusal !== undefined)
    throw new OperationError({ code: "not_steered", why: refusal.reason, hint: wouldChange(refusal) });
  const now = await store.plans.ofIssue(repository.id, issue);
  if (now === undefined) throw none;
  return { key: `${name}#${steeredAt(now) ?? issue}`, state: stateOfPlan(now) };
}
