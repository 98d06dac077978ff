import { cancel, wake } from "../agents/agent-changes.ts";
import { type AgentRecord, isLive } from "../agents/agent-record.ts";
import { cannotTake } from "../agents/cannot-take.ts";
import { choiceOf } from "../agents/start-choice.ts";
import type { DomainEventOf } from "../events/domain-event.ts";
import {
  type ChangeSet,
  decisionOnly,
  type IssueState,
  type Move,
  mergeChanges,
  NO_CHANGES,
} from "../kernel/change-set.ts";
import { isSeen } from "../messages/visible-text.ts";
import { aborts, steersSprints } from "../planning/on-plan.ts";
import { answers, questionFor } from "../questions/on-answer.ts";
import { onApprove, onDeny } from "../questions/on-approval.ts";
import { whyComment } from "../status/explain.ts";
import { onBackport } from "../tasks/backport.ts";
import { endedCoder, givesUp, resumesDeadlocked } from "../tasks/deadlocked.ts";
import type { Verb } from "./command.ts";
import { answerAsked } from "./command-answer.ts";
import { grantFor, numberAndWords, numberFault, overCeiling, roundsFor, withCause } from "./extension-of.ts";
import { messageFor } from "./message-for.ts";
import { onBudget } from "./on-budget.ts";
import { onFix, onReview } from "./on-pull-command.ts";
import { onSet } from "./on-set.ts";
import { pauses, resumes, revives, startsBlocked, triesNow } from "./steer.ts";
import { stillWaits } from "./still-waits.ts";

type Commented = DomainEventOf<"commented">;
/** `rest` = the text after the command; `below` = the lines below an approval. */
type Handler = (event: Commented, view: IssueState, rest: string, below: string) => ChangeSet;

function live(view: IssueState): readonly AgentRecord[] {
  return view.agents.filter(isLive);
}

function moves(
  verb: Verb,
  view: IssueState,
  toMove: (agent: AgentRecord) => Move,
  agents: readonly AgentRecord[] = live(view),
): ChangeSet {
  return agents.length === 0 ? cannotTake(verb, view) : { ...NO_CHANGES, moves: agents.map(toMove) };
}

const base = (event: Commented) => ({ at: event.at, actor: event.actor.login });

const steering = (event: Commented) => ({ ...base(event), act: event.delivery });

/** The handler of each command of a permitted person; `start` is separate, since it needs no agent. */
export const commandHandlers: Readonly<Record<Exclude<Verb, "start">, Handler>> = {
  status: () => decisionOnly("asked", "the status comment was asked for"),
  why: (event, view) =>
    mergeChanges(
      decisionOnly("asked", "the reasons were asked for"),
      answerAsked(event, whyComment(view.decisions, event.at, view.status)),
    ),
  set: onSet,
  pause: (event, view) =>
    moves(
      "pause",
      view,
      (agent) => pauses(agent, steering(event), `paused by @${event.actor.login}`),
      live(view).filter((agent) => agent.state !== "ESCALATED"),
    ),
  resume: (event, view, rest) => {
    const fault = numberFault("resume", rest);
    if (fault !== null) return fault;
    const { number: rounds, words } = numberAndWords(rest);
    const given = {
      said: `@${event.actor.login} says: continue.`,
      words: messageFor(event, words),
      rounds,
    };
    const resumed =
      resumes(view, steering(event), given) ?? resumesDeadlocked(view, { ...base(event), ...given });
    return resumed === null
      ? cannotTake("resume", view)
      : mergeChanges(resumed, stillWaits(event, "resume", view));
  },
  checkpoint: (event, view, rest) => steersSprints("checkpoint", event, view, rest),
  abort: aborts,
  continue: (event, view, rest) => {
    // A sprint at its checkpoint stops its agents, whatever else they wait for.
    if (view.plan.sprints.some(({ state }) => state === "CHECKPOINT"))
      return steersSprints("continue", event, view, rest);
    const fault = numberFault("continue", rest);
    if (fault !== null) return fault;
    const { number: given, words } = numberAndWords(rest);
    // A call or a plan needs its own answer: to wake its agent without one would only make it ask again.
    const waiting = live(view).filter(
      (agent) =>
        agent.state === "ESCALATED" ||
        (agent.state === "SLEEPING" && agent.sleepReason === "approval" && agent.breaker !== null),
    );
    if (waiting.length === 0) return cannotTake("continue", view);
    const by = `@${event.actor.login}`;
    const said = words === "" ? `${by} says: continue.` : `${by} says (${event.url}): continue.\n\n${words}`;
    const grants = waiting.map((agent) => grantFor(agent, given, view.settings, event.actor.login));
    const refused = grants.flatMap((grant) => overCeiling(grant, view.settings) ?? [])[0];
    if (refused !== undefined) return refused;
    const granted = {
      ...NO_CHANGES,
      wakes: waiting.map((agent, index) =>
        wake(event, agent, "approval", withCause(agent, said), grants[index] ?? null),
      ),
    };
    return mergeChanges(granted, stillWaits(event, "continue", view));
  },
  budget: onBudget,
  approve: (event, view, rest, below) => onApprove(event, view, { rest, words: isSeen(below) ? below : "" }),
  deny: onDeny,
  complete: (event, view) =>
    moves("complete", view, (agent) => ({
      machine: "agent",
      id: agent.id,
      event: {
        ...base(event),
        type: "COMPLETE",
        cause: "person",
        summary: `@${event.actor.login} declared it complete.`,
      },
    })),
  cancel: (event, view) => {
    const ended = live(view).map((agent) => cancel(event, agent, `@${event.actor.login} cancelled it`));
    const abandoned = givesUp(view.task, base(event));
    return ended.length + abandoned.length === 0
      ? cannotTake("cancel", view)
      : { ...NO_CHANGES, moves: [...ended, ...abandoned] };
  },
  release: (event, view) =>
    moves("release", view, (agent) =>
      cancel(event, agent, `@${event.actor.login} released the issue and its branch`),
    ),
  backport: onBackport,
  review: onReview,
  fix: onFix,
  answer: (event, view, rest) => {
    const { url } = event;
    const by = event.actor.login;
    const question = questionFor(view, event.at);
    const escalated = live(view).filter(({ state, id }) => state === "ESCALATED" && id !== question?.agentId);
    if (question === undefined && escalated.length === 0) return cannotTake("answer", view);
    if (!isSeen(rest))
      return decisionOnly("no_answer", "it contains no answer", {
        change: "`/flotilla answer <number or text>`",
      });
    const said = `@${by} answers (${url}):\n\n${rest}`;
    const answered = {
      ...NO_CHANGES,
      wakes: escalated.map((agent) =>
        wake(event, agent, "answer", withCause(agent, said), roundsFor(agent, null, by)),
      ),
    };
    return question === undefined
      ? answered
      : mergeChanges(answered, answers(question, { text: rest, by, url }, "command"));
  },
  retry: (event, view, rest) => {
    const by = `@${event.actor.login}`;
    // A new attempt reads this text with the other comments since the failure.
    const words = messageFor(event, rest);
    const now = triesNow(view, steering(event), { said: `${by} says: try again.`, words });
    const ended = endedCoder(view);
    const last =
      // Work that needs replanning is continued by its coder, whatever reviewers have done since.
      ended ?? view.agents.findLast((agent) => ["ESCALATED", "FAILED", "CANCELLED"].includes(agent.state));
    // While another agent continues, a new attempt replaces only one that waits for a person.
    if (now !== null && last?.state !== "ESCALATED") return now;
    if (last === undefined) return cannotTake("retry", view);
    const { issue, personPull, strangersPulls } = event;
    const cause = { ...base(event), issue, personPull, strangersPulls };
    const role = view.settings.roles.get(last.role);
    const begun =
      last.state === "COMPLETED" && role !== undefined
        ? startsBlocked(role, view, { ...cause, choice: choiceOf(last) })
        : revives(last, view, { ...cause, why: `${by} asked for a new attempt` });
    return mergeChanges(now ?? NO_CHANGES, begun ?? noRole(last));
  },
};

function noRole({ role, id }: AgentRecord): ChangeSet {
  return decisionOnly("no_role", `there is no role ${role} any more`, {
    agentId: id,
    change: "`/flotilla start <role>` with one that there is",
  });
}
