import type { Verb } from "../command.ts";
import { type AgentRecord, isLive } from "../machines/agent-record.ts";
import type { OccurrenceOf } from "../occurrence.ts";
import { decided, joined, type Move, NOTHING, type Reaction, type View } from "../reaction.ts";
import { whyComment } from "../text/explain.ts";
import { stillHeld } from "./answered.ts";
import { cannotTake } from "./cannot-take.ts";
import { endedCoder, givesUp, resumesDeadlocked } from "./deadlocked.ts";
import { grantFor, numberAndWords, numberFault, overCeiling, roundsFor, withCause } from "./grant-for.ts";
import { answers, questionFor } from "./on-answer.ts";
import { onApprove, onDeny } from "./on-approval.ts";
import { onBudget } from "./on-budget.ts";
import { cancel, wake } from "./on-issue.ts";
import { aborts, steersSprints } from "./on-plan.ts";
import { onSet } from "./on-set.ts";
import { holdsBeyond, pauses, resumes, revives, startsBlocked, triesNow } from "./steer.ts";

type Commented = OccurrenceOf<"commented">;
type Handler = (occurrence: Commented, view: View, rest: string) => Reaction;

function live(view: View): readonly AgentRecord[] {
  return view.agents.filter(isLive);
}

function moves(
  verb: Verb,
  view: View,
  toMove: (agent: AgentRecord) => Move,
  agents: readonly AgentRecord[] = live(view),
): Reaction {
  return agents.length === 0 ? cannotTake(verb, view) : { ...NOTHING, moves: agents.map(toMove) };
}

const base = (occurrence: Commented) => ({ at: occurrence.at, actor: occurrence.actor.login });

const steering = (occurrence: Commented) => ({ ...base(occurrence), act: occurrence.delivery });

/** Words beside a command, as the agent reads them; null for none. */
const told = ({ actor, url }: Commented, words: string): string | null =>
  words === "" ? null : `@${actor.login} says (${url}):\n\n${words}`;

/** What each command of a permitted person does; `start` is apart, it needs no agent. */
export const commandReactions: Readonly<Record<Exclude<Verb, "start">, Handler>> = {
  status: () => decided("asked", "the status comment was asked for"),
  why: (occurrence, view) => ({
    ...decided("asked", "the reasons were asked for"),
    effects: [
      {
        kind: "post_comment",
        name: `answer-${occurrence.commentId}`,
        body: whyComment(view.decisions, occurrence.at, view.stands),
      },
    ],
  }),
  set: onSet,
  pause: (occurrence, view) =>
    moves(
      "pause",
      view,
      (agent) => pauses(agent, steering(occurrence), `paused by @${occurrence.actor.login}`),
      live(view).filter((agent) => agent.state !== "ESCALATED"),
    ),
  resume: (occurrence, view, rest) => {
    const fault = numberFault("resume", rest);
    if (fault !== null) return fault;
    const { number: rounds, words } = numberAndWords(rest);
    const given = {
      said: `@${occurrence.actor.login} says: continue.`,
      words: told(occurrence, words),
      rounds,
    };
    const resumed =
      resumes(view, steering(occurrence), given) ??
      resumesDeadlocked(view, { ...base(occurrence), ...given });
    return resumed === null
      ? cannotTake("resume", view)
      : joined(resumed, stillHeld(occurrence, "resume", holdsBeyond(view)));
  },
  checkpoint: (occurrence, view, rest) => steersSprints("checkpoint", occurrence, view, rest),
  abort: aborts,
  continue: (occurrence, view, rest) => {
    // A sprint that stands still stops its agents, whatever else they wait for.
    if (view.plan.sprints.some(({ state }) => state === "CHECKPOINT"))
      return steersSprints("continue", occurrence, view, rest);
    const fault = numberFault("continue", rest);
    if (fault !== null) return fault;
    const { number: given, words } = numberAndWords(rest);
    const waiting = live(view).filter(
      (agent) =>
        agent.state === "ESCALATED" || (agent.state === "SLEEPING" && agent.sleepReason === "approval"),
    );
    if (waiting.length === 0) return cannotTake("continue", view);
    const by = `@${occurrence.actor.login}`;
    const said =
      words === "" ? `${by} says: continue.` : `${by} says (${occurrence.url}): continue.\n\n${words}`;
    const grants = waiting.map((agent) => grantFor(agent, given, view.settings, occurrence.actor.login));
    const refused = grants.flatMap((grant) => overCeiling(grant, view.settings) ?? [])[0];
    if (refused !== undefined) return refused;
    const granted = {
      ...NOTHING,
      wakes: waiting.map((agent, index) =>
        wake(occurrence, agent, "approval", withCause(agent, said), grants[index] ?? null),
      ),
    };
    return joined(granted, stillHeld(occurrence, "continue", holdsBeyond(view)));
  },
  budget: onBudget,
  approve: onApprove,
  deny: onDeny,
  complete: (occurrence, view) =>
    moves("complete", view, (agent) => ({
      machine: "agent",
      id: agent.id,
      event: {
        ...base(occurrence),
        type: "COMPLETE",
        cause: "person",
        summary: `@${occurrence.actor.login} declared it complete.`,
      },
    })),
  cancel: (occurrence, view) => {
    const ended = live(view).map((agent) =>
      cancel(occurrence, agent, `@${occurrence.actor.login} cancelled it`),
    );
    const abandoned = givesUp(view.task, base(occurrence));
    return ended.length + abandoned.length === 0
      ? cannotTake("cancel", view)
      : { ...NOTHING, moves: [...ended, ...abandoned] };
  },
  release: (occurrence, view) =>
    moves("release", view, (agent) =>
      cancel(occurrence, agent, `@${occurrence.actor.login} released the issue and its branch`),
    ),
  answer: (occurrence, view, rest) => {
    const { url } = occurrence;
    const by = occurrence.actor.login;
    const question = questionFor(view, occurrence.at);
    const escalated = live(view).filter(({ state, id }) => state === "ESCALATED" && id !== question?.agentId);
    if (question === undefined && escalated.length === 0) return cannotTake("answer", view);
    if (rest === "")
      return decided("no_answer", "it contains no answer", { change: "`/flotilla answer <number or text>`" });
    const said = `@${by} answers (${url}):\n\n${rest}`;
    const answered = {
      ...NOTHING,
      wakes: escalated.map((agent) =>
        wake(occurrence, agent, "answer", withCause(agent, said), roundsFor(agent, null, by)),
      ),
    };
    return question === undefined
      ? answered
      : joined(answered, answers(question, { text: rest, by, url }, "command"));
  },
  retry: (occurrence, view, rest) => {
    const by = `@${occurrence.actor.login}`;
    // A new attempt reads the words with the other comments since the failure.
    const words = told(occurrence, rest);
    const now = triesNow(view, steering(occurrence), { said: `${by} says: try again.`, words });
    const ended = endedCoder(view);
    const last =
      // What needs replanning is its coder's to begin again, whatever reviewers have come to since.
      ended ?? view.agents.findLast((agent) => ["ESCALATED", "FAILED", "CANCELLED"].includes(agent.state));
    // Beside one that continues, only an attempt that waits for a person is begun afresh.
    if (now !== null && last?.state !== "ESCALATED") return now;
    if (last === undefined) return cannotTake("retry", view);
    const { issue, personPull, strangersPulls } = occurrence;
    const cause = { ...base(occurrence), issue, personPull, strangersPulls };
    const role = view.settings.roles.get(last.role);
    const begun =
      last.state === "COMPLETED" && role !== undefined
        ? startsBlocked(role, view, cause)
        : revives(last, view, { ...cause, why: `${by} asked for a new attempt` });
    return joined(now ?? NOTHING, begun ?? noRole(last));
  },
};

function noRole({ role, id }: AgentRecord): Reaction {
  return decided("no_role", `there is no role ${role} any more`, {
    agentId: id,
    change: "`/flotilla start <role>` with one that there is",
  });
}
