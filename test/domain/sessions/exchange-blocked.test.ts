import { expect, it } from "vitest";
import { afterExchange, type ExchangeFacts } from "../../../src/domain/sessions/exchange.ts";
import { AT } from "../../factories/moment.ts";
import { anAgent } from "../../factories/records.ts";

const agent = { id: 3, name: "planner-issue-1", role: "planner", issue: 1 };
const facts: Omit<ExchangeFacts, "intent"> = {
  at: AT,
  agent: anAgent(),
  end: { kind: "idle", lastMessage: "" },
  blocker: null,
  replanner: { agent, role: "planner" },
  breaker: null,
  wrapUp: null,
  room: true,
  pending: false,
  maxRestarts: 3,
  providerAt: AT,
  idleSince: AT,
  used: "",
  keyVariable: "MODEL_API_KEY",
};

it("a blocker of another repository is named with that repository", () => {
  const elsewhere = { repositoryId: 9, repository: "acme/lib" };
  const intent = { kind: "report_blocked", blocker: 7, reason: "needs the schema" } as const;
  const blocked = { ...facts, intent, blocker: { found: "open", cycle: null, elsewhere } } as const;
  expect(afterExchange(blocked)).toEqual({
    next: "move",
    event: {
      type: "BLOCKED",
      at: AT,
      actor: "agent",
      blocker: 7,
      elsewhere,
      found: "open",
      cycle: null,
      reason: "needs the schema",
    },
  });
});

it("a task that needs replanning asks its planner, and does not wait for an issue", () => {
  const intent = { kind: "report_blocked", cause: "replanning", reason: "Two things." } as const;
  expect(afterExchange({ ...facts, intent })).toMatchObject({
    next: "move",
    event: {
      type: "ESCALATE",
      at: AT,
      category: "replanning",
      replanning: { reason: "Two things.", replanner: { agent, role: "planner" } },
    },
  });
});
