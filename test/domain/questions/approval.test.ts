import * as fc from "fast-check";
import { expect, it } from "vitest";
import {
  type ApprovalRow,
  approvalComment,
  askedText,
  canonicalCall,
  riskText,
  saidNo,
} from "../../../src/domain/questions/approval.ts";

const row: ApprovalRow = {
  id: 1,
  agentId: 11,
  token: 1,
  state: "asked",
  kind: "network",
  detail: "curl",
  tool: "bash",
  input: '{\n  "command": "curl x"\n}',
  hash: "0123456789abcdef",
  decidedBy: null,
  reason: null,
  createdAt: 0,
  decidedAt: null,
};

const call = (args: unknown, toolName = "bash") => canonicalCall({ toolName, args });

it("is the same call whatever the order of its arguments, and another with other arguments", () => {
  expect(call({ a: 1, b: { d: [1, { f: 2, e: 3 }], c: null } })).toBe(
    call({ b: { c: null, d: [1, { e: 3, f: 2 }] }, a: 1 }),
  );
  expect(call({ a: [1, 2] })).not.toBe(call({ a: [2, 1] }));
  expect(call({ a: 1 })).not.toBe(call({ a: "1" }));
  expect(call({ a: 1 })).not.toBe(call({ a: 1 }, "edit"));
  expect(call(undefined)).toBe("bash\n");
});

it.each([
  ["deletes_outside", "it deletes outside the worktree (curl)"],
  ["network", "it uses the network (curl)"],
  ["protected_path", "it changes a protected path (curl)"],
  ["plan", "it is the plan of the work (curl)"],
  ["held_commit", "it would put on the branch what a person should see first (curl)"],
] as const)("says why a person is asked: %s", (kind, text) => {
  expect(riskText({ kind, detail: "curl" })).toBe(text);
});

it("shows people tool, hash, reason, arguments, and what they can say", () => {
  expect(approvalComment("feat-dev", [row])).toBe(
    [
      "**feat-dev** asks a person for permission before it continues.",
      "",
      "`bash` `0123456789ab`: it uses the network (curl)",
      "",
      "```",
      row.input,
      "```",
      "",
      "`/flotilla approve 0123456789ab` allows exactly this call, once; `/flotilla deny <reason>` refuses it and tells the agent why; `/flotilla cancel` ends the agent.",
    ].join("\n"),
  );
  expect(approvalComment("feat-dev", [])).toContain("asks a person");
});

it("shows people several calls in their order, and says when the agent continues", () => {
  const second = { ...row, tool: "edit", kind: "protected_path", detail: "a\nb", input: "{}" } as const;
  expect(approvalComment("feat-dev", [row, { ...second, hash: "fedcba9876543210" }])).toBe(
    [
      "**feat-dev** asks a person for permission before it continues.",
      "",
      "`bash` `0123456789ab`: it uses the network (curl)",
      "",
      "```",
      row.input,
      "```",
      "",
      "`edit` `fedcba987654`: it changes a protected path (a b)",
      "",
      "```",
      "{}",
      "```",
      "",
      "`/flotilla approve 0123456789ab` allows exactly the call with that hash, once; `/flotilla deny <reason>` refuses the rest and tells the agent why. The agent continues when each of these calls is answered; `/flotilla cancel` ends it.",
    ].join("\n"),
  );
});

it("names in one line what an agent waits for, and at most three calls", () => {
  expect(askedText(row, [])).toBe("bash 0123456789ab: it uses the network (curl)");
  const others = [
    { ...row, hash: "b".repeat(64) },
    { ...row, hash: "c".repeat(64) },
  ];
  expect(askedText(row, others)).toBe("3 calls, bash 0123456789ab, bash bbbbbbbbbbbb, bash cccccccccccc");
  expect(askedText(row, [row, row, row, row])).toMatch(/^5 calls, .*, and 2 more$/);
});

it("says of a refused call that a person said no, and why", () => {
  expect(saidNo("use the mirror")).toBe("A person said no to this call: use the mirror");
});

it("lets no argument break out of its fence", () => {
  const text = fc.string({ unit: fc.constantFrom("`", "\n", "a", "/"), maxLength: 40 });
  fc.assert(
    fc.property(text, (input) => {
      const lines = approvalComment("r", [{ ...row, input }]).split("\n");
      const [fence = ""] = lines.filter((line) => /^`{3,}$/.test(line));
      const runs = [...input.matchAll(/`+/g)].map(([run]) => run.length);
      expect(Math.max(2, ...runs)).toBeLessThan(fence.length);
    }),
  );
});
