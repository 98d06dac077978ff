import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import {
  faultJson,
  faultOfOutside,
  OperationError,
  type OperationFault,
} from "../../../src/domain/commands/operation-fault.ts";
import { OutsideError, StaleSnapshot } from "../../../src/domain/kernel/errors.ts";

const at = { agent: "feat-dev-issue-42", state: "starting", operation: "send" };

const FAULTS: readonly (readonly [OperationFault, retryable: boolean, message: string])[] = [
  [{ code: "not_found", what: "agent a/b:c" }, false, "there is no agent a/b:c"],
  [{ code: "already_exists", what: "the pause" }, false, "the pause exists already"],
  [{ code: "invalid_argument", argument: "turns", expected: "a number" }, false, "turns: expected a number"],
  [{ code: "invalid_state", ...at }, false, "is starting and takes no send"],
  [{ code: "not_interactive", ...at }, false, "send would not be heard"],
  [{ code: "dead_agent", ...at, state: "failed" }, false, "is failed: there is nothing left to send"],
  [{ code: "transport_unavailable", detail: "reset" }, true, "could not be reached: reset"],
  [
    { code: "wait_timeout", target: ["idle", "failed"], last: "running" },
    true,
    "idle or failed, last seen running",
  ],
  [{ code: "wait_cancelled", last: "running" }, true, "last seen running"],
  [
    { code: "capability_mismatch", runtime: "batch", requested: "a follow-up", hint: "start again" },
    false,
    "the runtime batch cannot do this: a follow-up",
  ],
  [{ code: "not_steered", why: "it is ABORTED", hint: "look" }, false, "it is ABORTED"],
  [{ code: "not_proposed", why: "the file is there", hint: "change it" }, false, "the file is there"],
  [
    { code: "policy_denied", rule: "protected_paths", reason: "CI", hint: "ask for less" },
    false,
    "protected_paths says no: CI",
  ],
  [
    {
      code: "held",
      agent: "feat-dev-issue-1",
      holds: [{ by: "sprint", what: "its sprint is at CHECKPOINT", ends: "`/flotilla continue` on #9" }],
      hint: "`/flotilla continue` on #9",
    },
    false,
    "feat-dev-issue-1 is held: its sprint is at CHECKPOINT",
  ],
  [{ code: "permission_denied", needed: "write permission" }, false, "this needs write permission"],
  [{ code: "budget_exceeded", breaker: "max_tokens" }, false, "the limit max_tokens is reached"],
  [{ code: "rate_limited", reset_at: 0 }, true, "limited until 1970-01-01T00:00:00.000Z"],
  [{ code: "tool_not_allowed", tool: "bash" }, false, "may not call bash"],
  [{ code: "turn_limit_exceeded", turns: 50 }, false, "all 50 turns are used"],
  [{ code: "agent_already_running", agent: "feat-dev-issue-42" }, false, "already works on it"],
  [{ code: "id_reused", id: "r1" }, false, "the id r1 was used for another request"],
  [{ code: "task_not_found", issue: 42 }, false, "issue #42 has no task"],
  [{ code: "stale_snapshot", machine: "agent" }, true, "the agent was changed meanwhile"],
  [{ code: "internal", detail: "disk full" }, false, "disk full"],
];

it.each(FAULTS)(
  "%j says what is wrong, what to do next and whether to try again",
  (fault, retryable, message) => {
    const error = new OperationError(fault);
    expect(error.message).toContain(message);
    expect(error.hint).not.toBe("");
    expect(faultJson(error)).toEqual({
      ...fault,
      message: error.message,
      hint: error.hint,
      retryable,
    });
  },
);

it("has every code of the lifecycles once, one of the repository's file, and one of a request's id", () => {
  const codes = new Set(FAULTS.map(([{ code }]) => code));
  expect(codes.delete("not_proposed")).toBe(true);
  expect(codes.delete("id_reused")).toBe(true);
  expect(codes.size).toBe(22);
});

it("lists every code in docs/operations.md, with a star where it may be asked again", async () => {
  const text = await readFile("docs/operations.md", "utf8");
  const rows = text
    .split("\n")
    .flatMap((line) => /^\| (`[a-z_]+`[^|]*) \| \S/.exec(line)?.[1]?.split(", ") ?? []);
  const known = FAULTS.map(([{ code }, retryable]) => `\`${code}\`${retryable ? " *" : ""}`);
  expect(known.filter((code) => !rows.includes(code))).toEqual([]);
});

it("keeps the hint of a capability mismatch, which knows the runtime", () => {
  const fault = { code: "capability_mismatch", runtime: "b", requested: "r", hint: "start again" } as const;
  expect(new OperationError(fault).hint).toBe("start again");
});

const met = (code: string, options: ConstructorParameters<typeof OutsideError>[2]) =>
  faultOfOutside(new OutsideError(code, "what happened", options));

it("tells what passes by itself from what does not", () => {
  expect(met("rate_limited", { consequence: "park", retryAt: 7 })).toEqual({
    code: "rate_limited",
    reset_at: 7,
  });
  const passing = { code: "transport_unavailable", detail: "what happened" };
  expect(met("rate_limited", { consequence: "park" })).toEqual(passing);
  expect(met("unavailable", { consequence: "retry", retryAt: 7 })).toEqual(passing);
  expect(met("odd", { consequence: "stop" })).toEqual({ code: "internal", detail: "what happened" });
  expect(met("odd", { consequence: "tell" })).toEqual({ code: "internal", detail: "what happened" });
});

it.each(["forbidden", "unauthorized"])("%s is a right that is missing", (code) => {
  expect(met(code, { consequence: "tell" })).toEqual({
    code: "permission_denied",
    needed: "a right that is missing: what happened",
  });
});

it("names the machine whose snapshot was stale", () => {
  expect(faultOfOutside(new StaleSnapshot("task", 3))).toEqual({ code: "stale_snapshot", machine: "task" });
});
