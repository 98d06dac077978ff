import { NEW, no } from "../machine.ts";
import type { AgentEmission } from "./agent.ts";
import { statusComment } from "./agent-effects.ts";
import type { AgentBirth, AgentEventOf, Entry } from "./agent-event.ts";
import { type AgentRule, admitted, awake, rule } from "./agent-rule.ts";

const CLAIMABLE = ["UNCLAIMED", "REJECTED", "INTEGRATION_FAILED"];

const born = (birth: AgentBirth, at: number) => ({ ...birth, createdAt: at });

/** How a coder takes its task; nothing for the others. */
function claim(
  agent: { id: number; coder: boolean },
  event: AgentEventOf<"START">,
): readonly AgentEmission[] {
  if (!agent.coder) return [];
  return [
    {
      machine: "task",
      event: {
        type: event.around.task === "REJECTED" ? "RECLAIM" : "CLAIM",
        at: event.at,
        actor: event.actor,
        agentId: agent.id,
        leaseUntil: event.leaseUntil,
        openBlockers: event.openBlockers,
      },
    },
  ];
}

const starts = (event: { at: number; entry: Entry }): readonly AgentEmission[] => [
  { machine: "agent", event: { type: "START", at: event.at, actor: "flotilla", ...event.entry } },
];

/** From nothing to the first turn. */
export const beginningRules: readonly AgentRule[] = [
  rule("CREATE", {
    from: NEW,
    to: "CREATED",
    guard: (_, event) => {
      if (event.around.rival !== null)
        return no("rival", `${event.around.rival} already works on this issue`);
      return event.limit === null || no("storm", event.limit);
    },
    change: (_, event) => born(event.birth, event.at),
    effects: () => [statusComment],
    emits: (_, event) => starts(event),
  }),
  rule("REVIVE", {
    from: NEW,
    to: "CREATED",
    guard: (_, event) => {
      if (event.around.rival !== null)
        return no("rival", `${event.around.rival} already works on this issue`);
      const from = event.previous.state;
      return (
        ["ESCALATED", "FAILED", "CANCELLED"].includes(from) ||
        no("not_revivable", `${event.previous.name} is ${from}`)
      );
    },
    change: (_, event) => ({ ...born(event.birth, event.at), reason: event.previous.reason }),
    effects: () => [statusComment],
    emits: (_, event) => starts(event),
  }),
  rule("REOPEN", {
    from: NEW,
    to: "CREATED",
    guard: (_, event) => {
      if (event.around.rival !== null)
        return no("rival", `${event.around.rival} already works on this issue`);
      const from = event.previous.state;
      return (
        ["COMPLETED", "FAILED", "CANCELLED"].includes(from) ||
        no("not_reopenable", `${event.previous.name} is ${from}`)
      );
    },
    change: (_, event) => ({ ...born(event.birth, event.at), reason: event.why }),
    effects: () => [statusComment],
    emits: (_, event) => starts(event),
  }),
  rule("START", {
    from: ["CREATED"],
    to: "ACTIVE",
    guard: (agent, event) => {
      if (event.assignedTo !== null) return no("assigned", `the issue is assigned to @${event.assignedTo}`);
      if (event.openBlockers.length > 0)
        return no("open_blocker", `blocked by #${event.openBlockers.join(", #")}`, true);
      const { task } = event.around;
      if (agent.coder && (task === null || !CLAIMABLE.includes(task)))
        return no("task", `its task is ${task ?? "missing"}`, task === "DRAFT");
      return admitted(agent, event.around);
    },
    change: (agent, event) => awake(agent, event),
    effects: () => [{ kind: "open_session" }, statusComment],
    emits: (after, event) => [
      ...claim(after, event),
      { machine: "run", event: { type: "START", at: event.at, actor: event.actor } },
      { machine: "session", event: { type: "START", at: event.at, actor: event.actor } },
    ],
  }),
];
