import { expect, it } from "vitest";
import type { AgentRecord } from "../../../src/domain/agents/agent-record.ts";
import { holdsOf } from "../../../src/domain/breakers/hold.ts";
import { agentStatus } from "../../../src/domain/status/agent-status.ts";
import { type HeadlineFacts, headline } from "../../../src/domain/status/headline.ts";
import { DEADLOCK, OUT_OF_DEADLOCK } from "../../../src/domain/tasks/escalation.ts";
import type { TaskRecord } from "../../../src/domain/tasks/task-record.ts";
import { aDecision } from "../../factories/a-decision.ts";
import { agentStatusFacts } from "../../factories/agent-status-facts.ts";
import { anAgent, aRun, aTask } from "../../factories/records.ts";

const decision = aDecision({
  rule: "unknown_role",
  reason: "no label here starts an agent",
  change: "say `/flotilla start feat-dev`",
});

/** The headline of an issue with these agents, the newest first. */
function of(agents: readonly AgentRecord[], given: Partial<HeadlineFacts> = {}): string {
  const task = given.task?.state ?? null;
  return headline({
    agents: agents.map((agent) => ({
      agent,
      status: agentStatus(
        agent,
        agentStatusFacts({ task, holds: holdsOf(agent, []), run: aRun({ state: "executing" }) }),
      ),
    })),
    task: null,
    merging: null,
    decision: null,
    ...given,
  });
}

const coder = anAgent({ state: "SLEEPING", sleepReason: "review", prNumber: 5 });
const reviewer = anAgent({ id: 12, role: "reviewer", coder: false });
const work = (overrides: Partial<TaskRecord>) => aTask({ assigneeId: coder.id, ...overrides });

it("says that work is ready, and what a person does with it", () => {
  expect(of([coder], { task: work({ state: "READY_FOR_REVIEW" }) })).toBe(
    "**Ready for review: #5.** Review it, and merge it when you are happy.",
  );
  expect(of([reviewer, coder], { task: work({ state: "READY_FOR_REVIEW" }) })).toBe(
    "**An agent reviews #5.** You need to do nothing.",
  );
  expect(of([coder], { task: work({ state: "APPROVED" }) })).toBe(
    "**Ready to merge: #5 is approved.** Merge it on GitHub.",
  );
  expect(of([coder], { task: work({ state: "APPROVED" }), merging: { ahead: 4 } })).toBe(
    "**#5 is approved.** You need to do nothing: Flotilla merges #5 when its turn in the merge queue comes, behind #4; `/flotilla why` says what it waits for.",
  );
});

it("says that merged work is done, whatever its agents say", () => {
  const ended = { ...coder, state: "COMPLETED" as const };
  expect(of([ended], { task: work({ state: "MERGED" }) })).toBe("**Done: #5 is merged.**");
  expect(of([{ ...ended, prNumber: null }], { task: work({ state: "MERGED" }) })).toBe(
    "**Done: the work is merged.**",
  );
});

it("begins with what a person is asked, before anything else", () => {
  const asks = anAgent({ state: "ESCALATED", reason: "Two licences are possible.", prNumber: 5 });
  const text = of([reviewer, asks], { task: work({ state: "READY_FOR_REVIEW" }) });
  expect(text).toMatch(
    /^\*\*feat-dev needs a person: Two licences are possible\.\*\* Answer in a comment, or say /,
  );
  const question = anAgent({ state: "SLEEPING", sleepReason: "question" });
  expect(of([reviewer, question])).toBe(
    "**feat-dev waits for an answer.** Answer its comment, or say `/flotilla answer <text>`.",
  );
  const paused = anAgent({ state: "SLEEPING", sleepReason: "paused", heldBy: ["person"] });
  expect(of([paused])).toMatch(/^\*\*feat-dev is paused, because .+\.\*\* `\/flotilla resume` on the issue/);
});

it("of an agent at work or asleep says what it does, the coder's first", () => {
  expect(of([reviewer, anAgent()])).toBe(
    "**feat-dev does the work.** It continues automatically; `/flotilla pause` holds it, `/flotilla cancel` ends it.",
  );
  const blocked = anAgent({ state: "SLEEPING", sleepReason: "blocked", blockedBy: [41] });
  expect(of([blocked], { task: work({ state: "CLAIMED" }) })).toBe(
    "**feat-dev waits for #41 to be closed.** It wakes when #41 is closed; `/flotilla cancel` ends it.",
  );
});

it.each([
  [
    { state: "REJECTED", rejectionReason: "No tests." },
    /^\*\*No agent works on this issue: No tests\.\*\* No /,
  ],
  [
    { state: "ABANDONED", abandonedReason: null },
    /^\*\*No agent works on this issue\.\*\* To start again, say /,
  ],
  [
    { state: "SUPERSEDED", supersededBy: 9 },
    /^\*\*No agent works .+ takes its place: unknown\.\*\* You need /,
  ],
] as const)("of work without an agent, %j, says why and what a person can do", (task, text) => {
  expect(of([anAgent({ state: "CANCELLED" })], { task: work(task) })).toMatch(text);
});

it.each([
  ["COMPLETED", "**triage is done: It is done.**"],
  ["FAILED", "**triage has failed: It broke.** `/flotilla retry` makes a new attempt."],
  ["CANCELLED", "**triage was cancelled: nobody needs it.** `/flotilla retry` makes a new attempt."],
] as const)("of an agent that has ended as %s, and no work, says how", (state, text) => {
  expect(of([anAgent({ state, role: "triage", coder: false })])).toContain(text);
});

it("where nobody works says why, and how somebody would", () => {
  expect(of([])).toBe("**No agent works on this issue.** `/flotilla start <role>` starts one.");
  expect(of([], { decision })).toBe(
    "**No agent works on this issue: no label here starts an agent.** Say `/flotilla start feat-dev`.",
  );
});

it("keeps what others wrote on its line", () => {
  const reason = "one\n\n</details><!-- two";
  const text = of([anAgent({ state: "FAILED", reason })]);
  expect(text).not.toMatch(/\n|<\/details>|<!--/);
});

/** The headline of one agent whose status has these words. */
const said = (now: string, next: string, agent = anAgent()) =>
  headline({ agents: [{ agent, status: { now, next } }], task: null, merging: null, decision: null });

it.each([
  ["question", /^\*\*feat-dev waits for an answer/],
  ["approval", /^\*\*feat-dev waits for /],
  ["paused", /^\*\*feat-dev is paused, because /],
] as const)(
  "of a coder that sleeps for people (%s) says so, whoever else is at work or asks",
  (sleepReason, text) => {
    const asks = anAgent({
      state: "SLEEPING",
      sleepReason,
      heldBy: sleepReason === "paused" ? ["person"] : [],
    });
    const task = work({ state: "READY_FOR_REVIEW" });
    expect(of([reviewer, asks], { task })).toMatch(text);
    expect(of([{ ...reviewer, state: "ESCALATED" }, asks], { task })).toMatch(text);
    // What it waited for is kept when it has ended.
    expect(of([{ ...asks, state: "CANCELLED" }], { task: work({ state: "MERGED" }) })).toMatch(/^\*\*Done: /);
  },
);

it("of agents that have ended speaks of the newest", () => {
  const triage = { role: "triage", coder: false };
  const newest = anAgent({ ...triage, id: 20, state: "COMPLETED" });
  const older = anAgent({ ...triage, id: 19, state: "FAILED" });
  expect(of([newest, older])).toMatch(/^\*\*triage is done: /);
  expect(of([older, newest])).toMatch(/^\*\*triage has failed: /);
});

it("names approved work without a pull request, at the beginning of a sentence", () => {
  const alone = { ...coder, prNumber: null };
  expect(of([alone], { task: work({ state: "APPROVED" }), merging: { ahead: null } })).toMatch(
    /^\*\*Its work is approved\.\*\* You need to do nothing: /,
  );
});

it.each([
  ["not started", "it starts by itself", "**feat-dev is not started.** It starts by itself."],
  ["paused by @ann", "resume it", "**feat-dev is paused by `@ann`.** Resume it."],
  ["does the work", "nothing", "**feat-dev does the work.**"],
  ["does the work", "nothing: it goes on", "**feat-dev does the work.** You need to do nothing: it goes on."],
  ["does the work", "nothing else helps", "**feat-dev does the work.** Nothing else helps."],
  ["asks: which one?", "answer!", "**feat-dev asks: which one?** Answer!"],
  ["quotes a text that was cut…", "look", "**feat-dev quotes a text that was cut…** Look."],
])("of %j and %j makes sentences", (now, next, text) => {
  expect(said(now, next)).toBe(text);
});

it("lets no text that others wrote end its line, hide what follows or mention somebody", () => {
  const evil = "one\n\n</details><!-- @bob\n# two";
  const rejected = work({ state: "REJECTED", rejectionReason: evil });
  for (const text of [
    said(evil, "look"),
    said("works", evil),
    of([anAgent({ state: "CANCELLED" })], { task: rejected }),
    of([], { decision: { ...decision, reason: evil } }),
    of([], { decision: { ...decision, change: evil } }),
  ]) {
    expect(text).toMatch(/one/i);
    expect(text).not.toMatch(/\n|<\/details>|<!--|(?<![`\u200b])@bob\b/);
  }
});

it("of work that cannot go on says what its reason asks for", () => {
  const ended = anAgent({ state: "CANCELLED" });
  const told = (task: Partial<TaskRecord>) => of([ended], { task: work(task) });
  expect(told({ state: "BLOCKED", blockedReason: "too big" })).toContain("Say what to do differently");
  const deadlock = told({ state: "BLOCKED", blockedReason: DEADLOCK }).toLowerCase();
  expect(deadlock).toContain(OUT_OF_DEADLOCK.toLowerCase());
});
