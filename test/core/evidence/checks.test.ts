import { expect, it } from "vitest";
import { judgeChecks } from "../../../src/core/evidence/checks.ts";
import type { CommitCheck } from "../../../src/core/ports/github.ts";

const check = (name: string, state: CommitCheck["state"]): CommitCheck => ({
  name,
  state,
  conclusion: { pending: "queued", green: "success", red: "failure" }[state],
});
const failed = (name: string) => ({ kind: "check_failed", check: name, conclusion: "failure" });

it.each([
  ["green ones", [check("a", "green"), check("b", "green")], [], []],
  ["one that runs", [check("a", "green"), check("b", "pending")], [], ["b"]],
  ["one that never appeared", [check("a", "green")], [], ["b"]],
  ["a red one", [check("a", "red"), check("b", "green")], [failed("a")], []],
  ["a red and a running one", [check("a", "red"), check("b", "pending")], [failed("a")], ["b"]],
  ["a red one that nobody requires", [check("a", "green"), check("b", "green"), check("x", "red")], [], []],
  [
    "a name that is green and red",
    [check("a", "green"), check("a", "red"), check("b", "green")],
    [failed("a")],
    [],
  ],
  [
    "a name that is green and runs",
    [check("a", "green"), check("a", "pending"), check("b", "green")],
    [],
    ["a"],
  ],
])("of a and b, %s are told", (_, checks, failures, pending) => {
  expect(judgeChecks(["a", "b", "a"], checks)).toEqual({ failed: failures, pending });
});
