import { expect, it } from "vitest";
import { type ApprovalRow, CLOSED_BY, closedText } from "../../../src/domain/questions/approval.ts";

const row: ApprovalRow = {
  id: 5,
  agentId: 11,
  token: 1,
  state: "granted",
  kind: "network",
  detail: "curl",
  tool: "bash",
  input: "{}",
  hash: "0123456789abcdef",
  decidedBy: "alice",
  reason: null,
  createdAt: 0,
  decidedAt: null,
};

it.each([
  [{}, "That call was already approved by @alice"],
  [{ state: "used", decidedBy: "operator:root" }, "That call was already approved by the operator"],
  [{ state: "denied", kind: "plan" }, "That plan was already refused by @alice"],
  [{ state: "denied", decidedBy: CLOSED_BY }, "That call needs no answer any more: its agent has ended"],
  [{ state: "denied", decidedBy: null }, "That call needs no answer any more: its agent has ended"],
  [{ state: "asked" }, "That call needs no answer any more: its agent has continued without it"],
] as const)("says why a question takes no answer any more: %#", (change, text) => {
  expect(closedText({ ...row, ...change })).toBe(text);
});
