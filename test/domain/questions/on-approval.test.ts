import { expect, it } from "vitest";
import { decide } from "../../../src/domain/decide.ts";
import type { ApprovalRow } from "../../../src/domain/questions/approval.ts";
import { aView } from "../../factories/a-view.ts";
import { aCommand } from "../../factories/an-occurrence.ts";
import { anAgent } from "../../factories/records.ts";
import { rulesOf, wakesOf, whyOf } from "../kernel/changes-as-text.ts";

const agents = [anAgent({ state: "SLEEPING", sleepReason: "approval" })];
const row: ApprovalRow = {
  id: 5,
  agentId: 11,
  token: 1,
  state: "asked",
  kind: "network",
  detail: "curl",
  tool: "bash",
  input: "{}",
  hash: "0123456789abcdef",
  decidedBy: null,
  reason: null,
  createdAt: 0,
  decidedAt: null,
};
const second: ApprovalRow = { ...row, id: 6, hash: "fedcba9876543210" };
const say = (verb: "approve" | "deny", rest: string, asked: readonly ApprovalRow[]) =>
  decide(aCommand(verb, rest), aView({ agents, asked }));

it.each(["", "0123456789ab", "012345", "`0123456789AB`"])(
  "approve %j lets the call that waits pass",
  (rest) => {
    const changes = say("approve", rest, [row]);
    expect(changes.approvals).toEqual([{ id: 5, state: "granted", by: "alice", reason: null }]);
    expect(wakesOf(changes)).toEqual(["11 approval"]);
    expect(changes.wakes[0]?.detail).toBe(
      "@alice lets this call pass once: bash (0123456789ab). Make it again exactly as it was.",
    );
  },
);

it.each(["01234", "ffffffff", "yes"])(
  "approve %j is no hash of a call that waits, and is told which there are",
  (rest) => {
    const changes = say("approve", rest, [row]);
    expect(changes.approvals).toEqual([]);
    expect(rulesOf(changes)).toEqual(["which_call"]);
    expect(whyOf(changes)).toContain(`no call that waits for a person has the hash \`${rest}\``);
    expect(whyOf(changes)).toContain("`/flotilla approve 0123456789ab`");
  },
);

it("approve of one of several needs its hash, and is told which there are", () => {
  const changes = say("approve", "", [row, second]);
  expect(changes.approvals).toEqual([]);
  expect(whyOf(changes)).toContain("`/flotilla approve 0123456789ab` or `/flotilla approve fedcba987654`");
  expect(say("approve", "fedcba", [row, second]).approvals).toMatchObject([{ id: 6 }]);
});

it.each([
  ["too dear", "too dear"],
  ["", "no reason was given"],
])("deny %j says no to every call that waits, each with the reason", (rest, reason) => {
  const changes = say("deny", rest, [row, second]);
  expect(changes.approvals).toEqual([
    { id: 5, state: "denied", by: "alice", reason },
    { id: 6, state: "denied", by: "alice", reason },
  ]);
  expect(changes.wakes.map(({ key }) => key)).toEqual(["d-1:11:5", "d-1:11:6"]);
  expect(changes.wakes[1]?.detail).toContain(`no to this call: bash (fedcba987654). Why: ${reason}.`);
});

it("approve and deny speak of the tests where those are what waits", () => {
  const tests: ApprovalRow = { ...row, kind: "weakened_tests", tool: "tests", detail: "1 test gone" };
  expect(say("approve", "", [tests]).wakes[0]?.detail).toBe(
    "@alice accepts what the change does to the tests: tests (0123456789ab).",
  );
  expect(say("deny", "no", [tests]).wakes[0]?.detail).toBe(
    "@alice says no to what the change does to the tests: tests (0123456789ab). Why: no.",
  );
});

it("where no call waits both are decisions", () => {
  expect(rulesOf(say("approve", "", []))).toEqual(["nothing_asked"]);
  expect(rulesOf(say("deny", "no", []))).toEqual(["nothing_asked"]);
});

it("wakes nobody for a call of an agent that is not there", () => {
  expect(wakesOf(say("approve", "", [{ ...row, agentId: 99 }]))).toEqual([]);
});
