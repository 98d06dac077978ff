import { no } from "../kernel/state-machine.ts";
import { blockedComment } from "../status/comments.ts";
import { comment, keepSession, statusComment } from "./agent-effects.ts";
import type { ResolvedAgentEventOf } from "./agent-event.ts";
import { type AgentRule, asleep, rule } from "./agent-rule.ts";
import { restSession } from "./rest-session.ts";

const blockerName = ({ blocker, elsewhere }: ResolvedAgentEventOf<"BLOCKED">) =>
  `${elsewhere?.repository ?? ""}#${blocker}`;

/** Returns the blocker's repository and number, for effects. */
const placeOf = ({ blocker, elsewhere }: ResolvedAgentEventOf<"BLOCKED">) =>
  elsewhere === undefined ? { blocker } : { blocker, repositoryId: elsewhere.repositoryId };

/** Rules from ACTIVE to sleep until another issue is closed. */
export const blockedRules: readonly AgentRule[] = [
  rule("BLOCKED", {
    from: ["ACTIVE"],
    to: "SLEEPING",
    guard: (agent, event) => {
      const name = blockerName(event);
      if (event.blocker === agent.issue && event.elsewhere === undefined)
        return no("own_issue", "an issue cannot block itself");
      if (event.found === "missing") return no("blocker_missing", `${name} does not exist`);
      if (event.found === "closed") return no("blocker_closed", `${name} is already closed`);
      if (event.found === "part") return no("descendant", `${name} is a part of this issue`);
      if (event.cycle !== null) return no("cycle", `that would close a circle: ${event.cycle.join(" → ")}`);
      return true;
    },
    change: (agent, event) => ({
      ...asleep(agent, event.at, "blocked"),
      ...(event.elsewhere === undefined
        ? { blockedBy: [event.blocker] }
        : { blockedElsewhere: [{ ...event.elsewhere, number: event.blocker }] }),
      restarts: 0,
    }),
    effects: (after, event) => [
      keepSession,
      { kind: "add_blocked_by", ...placeOf(event) },
      comment(
        after,
        "blocked",
        blockedComment({ role: after.role, blocker: blockerName(event), reason: event.reason }),
      ),
      statusComment,
      { kind: "recheck_blocker", ...placeOf(event) },
    ],
    emits: (after, event) => [
      {
        machine: "run",
        event: { type: "AGENT_NEEDED", at: event.at, actor: event.actor, waitingFor: blockerName(event) },
      },
      restSession(after, event),
    ],
  }),
];
