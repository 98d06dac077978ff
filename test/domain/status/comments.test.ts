import { describe, expect, it } from "vitest";
import {
  blockedComment,
  cancelledComment,
  completedComment,
  deadlockReason,
  escalatedComment,
  failedComment,
  limitComment,
  quote,
} from "../../../src/domain/status/comments.ts";

const escalated = {
  role: "feat-dev",
  trouble: "it lacks access to something",
  reason: "The specification contradicts itself.",
  question: null,
  breaker: null,
  tried: [],
  links: [],
  notify: [],
  label: "needs-human",
};

describe("a comment", () => {
  it("on a block names the blocker and gives the reason", () => {
    expect(blockedComment({ role: "feat-dev", blocker: "#7", reason: "It needs\nthe schema." })).toBe(
      "**feat-dev** is blocked by #7. It resumes when #7 closes, or when the agent working on #7 finishes with no open pull request.\n\n> It needs\n> the schema.",
    );
  });

  it("on an escalation gives the reason as it was given, and says what a person can do", () => {
    const text = escalatedComment(escalated);
    expect(text).toContain("**feat-dev** needs a person: it lacks access to something.\n");
    expect(text).toContain("> The specification contradicts itself.");
    expect(text).toContain("`needs-human`");
    expect(text).toContain("/flotilla resume");
    expect(text).not.toContain("Question");
    expect(text).not.toContain("limit");
  });

  it("on an escalation asks the question, names the limit and mentions who is to be told", () => {
    const text = escalatedComment({
      ...escalated,
      trouble: null,
      question: "Which colour?",
      breaker: "max_tool_calls",
      notify: ["oncall", "@bob"],
    });
    expect(text).toContain("needs a person. @oncall @bob\n");
    expect(text).toContain("**Question**\n\n> Which colour?");
    expect(text).toContain(
      "the limit `max_tool_calls`. `/flotilla resume` extends the limit by 50 %, at most twice; `/flotilla budget +N` adds N tool calls (`+50 calls`)",
    );
  });

  it("on an escalation shows the last steps, where the work is, and the choices as commands", () => {
    const text = escalatedComment({
      ...escalated,
      tried: ["turn 1: `shell`, failure: `npm test`", "turn 2: `edit`, success: `a.ts`"],
      links: ["[branch](/acme/shop/tree/b)", "#50"],
    });
    expect(text).toContain(
      "**Its last steps**\n\n- turn 1: `shell`, failure: `npm test`\n- turn 2: `edit`, success: `a.ts`\n",
    );
    expect(text).toContain("Its work: [branch](/acme/shop/tree/b), #50.");
    for (const verb of ["resume", "complete", "retry", "cancel"])
      expect(text).toContain(`\`/flotilla ${verb}\``);
    expect(escalatedComment(escalated)).not.toMatch(/last steps|Its work/);
  });

  it("on an escalation offers no budget at a limit that no budget raises", () => {
    const text = escalatedComment({ ...escalated, breaker: "max_bounces" });
    expect(text).toContain("used all its attempts to show that the work is done");
    expect(text).not.toContain("budget");
  });

  it("on a review deadlock offers what works: more rounds, a new attempt, a merge", () => {
    const text = escalatedComment({ ...escalated, deadlock: { rounds: 5, pull: 12, ended: false } });
    expect(text).toContain(
      "comment here what it should do differently: it continues with that, and with 5 more rounds",
    );
    expect(text).toContain("`/flotilla resume <number>` with that many");
    expect(text).toContain("- merge #12 if it is good as it is");
    expect(text).not.toContain("/flotilla complete");
    const ended = escalatedComment({ ...escalated, deadlock: { rounds: 1, pull: null, ended: true } });
    expect(ended).toContain("- `/flotilla resume` lets it continue with 1 more round of review,");
    expect(ended).not.toMatch(/say here|merge/);
  });

  it("after a review deadlock counts in words", () => {
    expect(deadlockReason(1, "No.")).toBe("its work was rejected once. The last reason: No.");
    expect(deadlockReason(2, "No.")).toContain("rejected 2 times in a row.");
  });

  it("at a limit names it, how much was used and what comes next", () => {
    const used = { role: "feat-dev", breaker: "max_turns", detail: "50 of 50", next: "Say continue." };
    expect(limitComment(used)).toBe(
      "**feat-dev** stopped at the limit `max_turns`: 50 of 50.\n\nSay continue.",
    );
  });

  it("on a failure gives the reason and the way to a new attempt", () => {
    const retry = "`/flotilla retry`";
    const notify = ["oncall"];
    const failed = { role: "feat-dev", reason: "It broke.", breaker: null, notify, again: false, retry };
    expect(failedComment(failed)).toContain("**feat-dev** failed. @oncall\n\n> It broke.\n");
    expect(failedComment(failed)).toContain("/flotilla retry");
    expect(failedComment({ ...failed, breaker: "max_active_duration" })).toContain(
      "failed at the limit `max_active_duration`.",
    );
    expect(failedComment({ ...failed, again: true })).toContain(
      "Flotilla retries once automatically in about 5 minutes. `/flotilla retry` starts it now, `/flotilla cancel` stops it.",
    );
  });

  it("on completion gives the summary and the pull request where there is one", () => {
    const done = { role: "feat-dev", summary: "It is there.", prNumber: null };
    expect(completedComment(done)).toBe("**feat-dev** completed its work.\n\n> It is there.");
    expect(completedComment({ ...done, prNumber: 50 })).toContain("its work. Pull request: #50.");
  });

  it("on a cancellation says who did it and why, and which branch is kept", () => {
    const ended = { role: "feat-dev", actor: "alice", why: "nobody needs it", branch: null, retry: null };
    expect(cancelledComment(ended)).toBe("@alice ended **feat-dev**: nobody needs it.");
    expect(cancelledComment({ ...ended, actor: "flotilla", branch: "flotilla/feat-dev/issue-42" })).toBe(
      "Flotilla ended **feat-dev**: nobody needs it. The branch `flotilla/feat-dev/issue-42` is kept.",
    );
    expect(cancelledComment({ ...ended, actor: "operator:root@host-1" })).toBe(
      "The operator ended **feat-dev**: nobody needs it.",
    );
    expect(cancelledComment({ ...ended, retry: "`/flotilla retry`" })).toContain(
      "nobody needs it. `/flotilla retry` starts a new attempt.",
    );
  });
});

describe("a quote", () => {
  it("sets every line apart, so that none reads as a command", () => {
    expect(quote("  one\n/flotilla cancel\n\nfour \n")).toBe("> one\n> `/flotilla` cancel\n> \n> four");
  });
});
