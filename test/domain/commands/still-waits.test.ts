import { expect, it } from "vitest";
import { decide } from "../../../src/domain/decide.ts";
import type { ApprovalRow } from "../../../src/domain/questions/approval.ts";
import { aView } from "../../factories/a-view.ts";
import { aCommand } from "../../factories/an-occurrence.ts";
import { anAgent } from "../../factories/records.ts";
import { saidBy } from "../kernel/changes-as-text.ts";

const asked = (id: number, agentId: number, kind: ApprovalRow["kind"], tool: string): ApprovalRow => ({
  id,
  agentId,
  token: 1,
  state: "asked",
  kind,
  detail: "",
  tool,
  input: "{}",
  hash: `${id}`.padStart(64, "0"),
  decidedBy: null,
  reason: null,
  createdAt: 0,
  decidedAt: null,
});

it("names what still needs an answer, beside what else holds the agents", () => {
  const agents = [
    anAgent({ id: 1, state: "ESCALATED" }),
    anAgent({ id: 2, state: "SLEEPING", sleepReason: "approval", heldBy: ["person"] }),
  ];
  const around = [
    { by: "pause", what: "everything is paused by alice", ends: "`flotilla resume --all` lifts it" },
  ] as const;
  const view = aView({
    agents,
    around,
    asked: [
      asked(5, 1, "network", "bash"),
      asked(6, 1, "held_commit", "commit"),
      asked(7, 2, "plan", "submit_plan"),
    ],
  });
  expect(saidBy(decide(aCommand("resume", ""), view))).toBe(
    [
      "`/flotilla resume` is taken, and the work waits on: everything is paused by alice.",
      "",
      "What ends that: `flotilla resume --all` lifts it. It allows nothing: if the agent still needs `bash 000000000000`, `commit 000000000000`, it asks again. The agent still waits for an answer about the plan: say `/flotilla approve`, or `/flotilla deny <reason>`.",
    ].join("\n"),
  );
});

it("names one of them where nothing else holds the agent", () => {
  const view = aView({
    agents: [anAgent({ id: 1, state: "ESCALATED" })],
    asked: [asked(5, 1, "network", "bash")],
  });
  expect(saidBy(decide(aCommand("resume", ""), view))).toBe(
    "`/flotilla resume` is taken. It allows nothing: if the agent still needs `bash 000000000000`, it asks again.",
  );
});
