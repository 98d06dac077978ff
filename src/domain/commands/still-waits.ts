import { holdEnds, holdText } from "../breakers/hold.ts";
import type { DomainEventOf } from "../events/domain-event.ts";
import { type ChangeSet, type IssueState, NO_CHANGES } from "../kernel/change-set.ts";
import { callsText } from "../questions/approval.ts";
import { answer } from "./command-answer.ts";
import { holdsBeyond } from "./steer.ts";

/**
 * Returns the reply to a command that succeeded while something else still holds the agents, or while nobody has
 * answered about their calls; no changes where neither is so.
 */
export function stillWaits(
  event: DomainEventOf<"commented">,
  verb: "resume" | "continue",
  view: IssueState,
): ChangeSet {
  const holds = holdsBeyond(view);
  const left = unanswered(view);
  if (holds.length + left.length === 0) return NO_CHANGES;
  const held =
    holds.length === 0
      ? "."
      : `, and the work waits on: ${holdText(holds)}.\n\nWhat ends that: ${holdEnds(holds)}.`;
  return answer(event, `\`/flotilla ${verb}\` is taken${[held, ...left].join(" ")}`);
}

/** Says which calls and plans still need an answer; an agent that continues without one asks again. */
function unanswered({ agents, asked }: Pick<IssueState, "agents" | "asked">): readonly string[] {
  const of = (state: "ESCALATED" | "SLEEPING") =>
    asked.filter((row) => agents.some((agent) => agent.id === row.agentId && agent.state === state));
  const [continues, waits] = [of("ESCALATED"), of("SLEEPING")];
  return [
    ...(continues.length === 0
      ? []
      : [`It allows nothing: if the agent still needs ${callsText(continues)}, it asks again.`]),
    ...(waits.length === 0
      ? []
      : [
          `The agent still waits for an answer about ${callsText(waits)}: say \`/flotilla approve\`, or \`/flotilla deny <reason>\`.`,
        ]),
  ];
}
