import { expect, it } from "vitest";
import type { Finding } from "../../../src/domain/evidence/finding.ts";
import {
  weakenedComment,
  weakenedLines,
  weakenedSummary,
} from "../../../src/domain/evidence/weakened-text.ts";
import type { ApprovalRow } from "../../../src/domain/questions/approval.ts";

const KINDS: readonly Finding["kind"][] = [
  "test_gone",
  "assertions",
  "cases",
  "skipped",
  "only",
  "cut_short",
  "hidden",
  "limit",
  "snapshot",
  "configuration",
  "data",
  "unread",
];
const one = (kind: Finding["kind"], line: number | null = 3, what = "x"): Finding => ({
  path: "a\n.ts",
  line,
  kind,
  what,
});

it("findings are summed up by their kinds, one and several", () => {
  expect(weakenedSummary(KINDS.map((kind) => one(kind)))).toBe(
    "1 test gone, fewer assertions in 1 place, fewer cases in 1 test, 1 skipped, 1 place where only some tests run, " +
      "1 place where a test ends early, 1 place where a failure is hidden, 1 limit less strict, 1 snapshot rewritten or gone, " +
      "1 file of test settings changed, 1 file of test data gone, 1 file not compared",
  );
  expect(weakenedSummary([one("test_gone"), one("skipped"), one("test_gone")])).toBe(
    "2 tests gone, 1 skipped",
  );
});

it("each finding is a line with its place, and the rest is counted", () => {
  expect(weakenedLines([one("only"), one("data", null)])).toEqual(['"a\\n.ts", line 3: x', '"a\\n.ts": x']);
  expect(weakenedLines(Array.from({ length: 50 }, () => one("only")))[40]).toBe(
    "and 10 more, which the change itself shows",
  );
  const long = weakenedLines(Array.from({ length: 50 }, () => one("only", 3, "y".repeat(1000))));
  expect(long).toHaveLength(4);
  expect(long[3]).toBe("and 47 more, which the change itself shows");
});

it("a person is asked with the list, which cannot end its block, and with what can be said", () => {
  const asked: ApprovalRow = {
    id: 1,
    agentId: 11,
    token: 1,
    state: "asked",
    kind: "weakened_tests",
    tool: "tests",
    detail: "1 test gone",
    input: "```\n# no",
    hash: "0123456789abcdef",
    decidedBy: null,
    reason: null,
    createdAt: 0,
    decidedAt: null,
  };
  expect(
    weakenedComment("feat-dev", asked),
  ).toBe(`**feat-dev** says that its work is done. Its change may weaken the tests, so a person decides first: 1 test gone.

\`\`\`\`
\`\`\`
# no
\`\`\`\`

\`/flotilla approve 0123456789ab\` lets the work count as done with exactly these changes; \`/flotilla deny <reason>\` sends it back and tells the agent why; \`/flotilla cancel\` ends the agent.`);
});
