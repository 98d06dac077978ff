import { describe, expect, it } from "vitest";
import { mayHaveMissedPull, missedByPull } from "../../../src/domain/backfill/missed-by-pull.ts";
import type { GitHubEvent } from "../../../src/domain/ports/github.ts";
import { aDecision } from "../../factories/a-decision.ts";
import { aPerson } from "../../factories/an-occurrence.ts";
import { AT, MINUTE } from "../../factories/moment.ts";
import { anAgent, aTask } from "../../factories/records.ts";
import { HEAD, known, LATER, seen } from "../seen-pulls.ts";

const event = (name: string, overrides: Partial<GitHubEvent> = {}): GitHubEvent => ({
  id: 9,
  event: name,
  actor: aPerson("bob"),
  createdAt: LATER,
  label: null,
  assignee: null,
  commit: null,
  ...overrides,
});

const MERGED = seen({ state: "closed", merged: true });
const CLOSED = seen({ state: "closed" });
const merge = [event("merged", { commit: "e".repeat(40) }), event("closed", { id: 10 })];
const over = known({ agents: [anAgent({ state: "COMPLETED" })], task: aTask({ state: "MERGED" }) });

const decision = (rule: "pull_draft" | "locked", lastAt: number) => [aDecision({ rule, lastAt })];

const ended = (state: "READY_FOR_REVIEW" | "UNCLAIMED" | "MERGED") =>
  known({ agents: [anAgent({ state: "COMPLETED" })], task: aTask({ state, createdAt: AT }) });

describe("the end of a pull request", () => {
  it("is told with who merged it and into what", () => {
    expect(missedByPull(MERGED, merge, known())).toEqual([
      {
        name: "event-9",
        event: "pull_request",
        action: "closed",
        number: 50,
        sender: aPerson("bob"),
        fields: {
          pull_request: {
            number: 50,
            state: "closed",
            merged: true,
            merge_commit_sha: "e".repeat(40),
            head: { ref: HEAD, sha: "d".repeat(40), repo: { id: 7, full_name: "acme/shop" } },
            base: { ref: "main" },
            title: "Dark mode",
            body: "",
            draft: false,
            user: MERGED.pull.author,
            html_url: "https://github.example/acme/shop/pull/50",
          },
        },
      },
    ]);
  });

  it("without a merge is told without a commit", () => {
    const [told] = missedByPull(CLOSED, [event("closed", { commit: "e".repeat(40) })], known());
    expect(told?.fields).toMatchObject({ pull_request: { merged: false, merge_commit_sha: null } });
  });

  it("of work whose agent has ended is told to a task that it still means something to", () => {
    expect(missedByPull(CLOSED, [event("closed")], ended("READY_FOR_REVIEW"))).toHaveLength(1);
    expect(missedByPull(CLOSED, [event("closed")], ended("UNCLAIMED"))).toEqual([]);
    expect(missedByPull(MERGED, merge, ended("UNCLAIMED"))).toHaveLength(1);
    expect(missedByPull(MERGED, merge, ended("MERGED"))).toEqual([]);
    expect(
      missedByPull(CLOSED, [event("closed")], known({ agents: [anAgent({ state: "COMPLETED" })] })),
    ).toEqual([]);
    expect(missedByPull(MERGED, merge, known({ agents: [], task: aTask() }))).toEqual([]);
    expect(missedByPull(MERGED, merge, known({ agents: [anAgent({ state: "FAILED" })] }))).toEqual([]);
  });

  it("is nothing that an agent which began later has not met, nor before GitHub's list has it", () => {
    const later = known({ agents: [anAgent({ createdAt: AT + 2 * MINUTE })] });
    expect(missedByPull(MERGED, merge, later)).toEqual([]);
    expect(missedByPull(MERGED, [event("closed")], known())).toEqual([]);
  });

  it("is looked for only where it can be missed", () => {
    expect(mayHaveMissedPull(MERGED, known())).toBe(true);
    expect(mayHaveMissedPull(seen(), known())).toBe(false);
    expect(mayHaveMissedPull(MERGED, over)).toBe(false);
    expect(mayHaveMissedPull(seen({ state: "closed", headRef: "other" }), known())).toBe(false);
  });
});

describe("a pull request that was made a draft", () => {
  const draft = seen({ draft: true, headRepository: null });
  const drafted = [event("ready_for_review", { id: 8 }), event("convert_to_draft")];

  it("is told once", () => {
    expect(missedByPull(draft, drafted, known())).toMatchObject([
      { action: "converted_to_draft", fields: { pull_request: { head: { repo: null } } } },
    ]);
    const met = { decisions: decision("pull_draft", AT + 2 * MINUTE) };
    expect(missedByPull(draft, drafted, known(met))).toEqual([]);
    for (const decisions of [decision("pull_draft", AT), decision("locked", AT + 2 * MINUTE)])
      expect(missedByPull(draft, drafted, known({ decisions }))).toHaveLength(1);
  });

  it("is nothing when it began as one, is ready again, or has ended", () => {
    expect(missedByPull(draft, [], known())).toEqual([]);
    expect(missedByPull(draft, drafted.toReversed(), known())).toEqual([]);
    expect(missedByPull(seen({ draft: true, state: "closed" }), drafted, known())).toEqual([]);
    expect(missedByPull(draft, drafted, over)).toEqual([]);
    expect(
      missedByPull(draft, drafted, known({ agents: [anAgent({ createdAt: AT + 2 * MINUTE })] })),
    ).toEqual([]);
  });
});
