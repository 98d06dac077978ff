import { describe, expect, test } from "vitest";
import { agentOf, stateOf, taskOf, toldTo } from "../engine/look.ts";
import { said, tell } from "../engine/people.ts";
import { personsPull, saidOnPull } from "../engine/persons-pull.ts";
import { ROLES } from "../engine/reviewer-rig.ts";
import { aRig, type Rig } from "../engine/rig.ts";
import { commit, complete, edit, escalate, onAttempt } from "../engine/scripts.ts";
import {
  coderMends,
  deadlockOfCompleted,
  failedOnce,
  needsReplanning,
  rejectedAndLeft,
  rejects,
  TWO_TASKS,
} from "../engine/stuck-work.ts";
import { MINUTE } from "../factories/moment.ts";
import { pageOver } from "./page-over.ts";

const KEY = "acme/shop:feat-dev-issue-1";
const SECOND = `${KEY}.2`;
const view = (key: string) => `agents/${encodeURIComponent(key)}/view`;

describe("approved work that does not merge", () => {
  const fixes = onAttempt(1, 3, edit("list.txt", "mine and theirs\n"), commit, complete);

  test("waits for nobody while its coder fixes that, and then for a person: why, what to do, and the pull request", async () => {
    const rig = await coderMends();
    const page = await pageOver(rig);
    expect(await page.read("waiting")).toMatchObject({ waiting: [] });
    expect(await page.read("overview")).toMatchObject({
      tasks: [{ state: "CLAIMED", live: { name: "feat-dev-issue-1.2", state: "ACTIVE" } }],
    });
    await tell(rig, said(rig, 1, "/flotilla cancel"));
    const reason = expect.stringContaining("#4 conflicts with `main`");
    const next = /^no agent is fixing this: `\/flotilla start \[role\]` has an agent fix it/i;
    expect(await page.read("waiting")).toMatchObject({
      waiting: [
        {
          kind: "unmerged",
          issue: 1,
          agent: null,
          what: reason,
          next: expect.stringMatching(next),
          url: "https://github.test/acme/shop/pull/4",
          acts: [],
        },
      ],
    });
    expect(await page.read("overview")).toMatchObject({
      tasks: [{ state: "INTEGRATION_FAILED", reason, next: expect.stringMatching(next), live: null }],
    });
  });

  test("is fixed by a new attempt of its coder, which the coder's page begins", async () => {
    const rig = await coderMends([fixes]);
    const page = await pageOver(rig);
    await tell(rig, said(rig, 1, "/flotilla cancel"));
    expect(await page.read(view(SECOND))).toMatchObject({ agent: { state: "CANCELLED", acts: ["revive"] } });
    expect(await page.press(SECOND, "revive")).toMatchObject([200, { agent: `${KEY}.3` }]);
    expect(await taskOf(rig)).toMatchObject({ state: "READY_FOR_REVIEW", integrationFix: true });
    expect(await agentOf(rig, "feat-dev-issue-1.3")).toMatchObject({ state: "COMPLETED", prNumber: 4 });
    expect(await page.read("waiting")).toMatchObject({ waiting: [{ kind: "review" }] });
  });
});

describe("work that needs replanning", () => {
  test("is listed once with the coder's reason and three buttons, none of which takes the work as it is", async () => {
    const page = await pageOver(await needsReplanning());
    expect(await page.read("waiting")).toMatchObject({
      waiting: [
        {
          kind: "escalation",
          agent: { key: KEY, acts: ["cancel"] },
          what: `Needs a person: its task needs replanning: ${TWO_TASKS}`,
          next: expect.stringContaining("`/flotilla resume`, `/flotilla retry` or `/flotilla cancel`"),
          acts: ["resume", "retry", "kill"],
        },
      ],
    });
    expect(await page.read("overview")).toMatchObject({
      tasks: [
        {
          state: "BLOCKED",
          reason: `it needs replanning (${TWO_TASKS})`,
          next: expect.stringContaining("say what to do differently"),
          live: { state: "ESCALATED" },
        },
      ],
    });
  });

  test.each([
    ["resume", "COMPLETED", "READY_FOR_REVIEW", [{ kind: "review", agent: null, acts: [] }]],
    ["retry", "CANCELLED", "READY_FOR_REVIEW", [{ kind: "review", agent: null, acts: [] }]],
    ["cancel", "CANCELLED", "ABANDONED", []],
  ])("continues as the button %s says", async (button, agent, task, waiting) => {
    const rig = await needsReplanning();
    const page = await pageOver(rig);
    expect(await page.press(KEY, button)).toMatchObject([200, {}]);
    expect([await stateOf(rig), (await taskOf(rig))?.state]).toEqual([agent, task]);
    expect(await page.read("waiting")).toMatchObject({ waiting });
  });

  test("is given up by the button as by the command, in the same words", async () => {
    const ends = await Promise.all(
      [
        async (rig: Rig) => (await pageOver(rig)).press(KEY, "cancel"),
        async (rig: Rig) => tell(rig, said(rig, 1, "/flotilla cancel", { by: "alice" })),
      ].map(async (ended) => {
        const rig = await needsReplanning();
        await ended(rig);
        const { abandonedReason, state } = (await taskOf(rig)) ?? {};
        return {
          agent: await stateOf(rig),
          state,
          abandonedReason,
          labels: rig.repository.issues.get(1)?.labels,
        };
      }),
    );
    const same = { agent: "CANCELLED", state: "ABANDONED" };
    expect(ends).toMatchObject([
      { ...same, abandonedReason: "the operator gave it up" },
      { ...same, abandonedReason: "@alice gave it up" },
    ]);
    expect(ends[0]?.labels).toEqual(ends[1]?.labels);
    expect(ends[0]?.labels).not.toContain("needs-human");
  });

  test("is not taken as it is, also where a page asks for that", async () => {
    const rig = await needsReplanning();
    const page = await pageOver(rig);
    const error = { code: "policy_denied", reason: expect.stringContaining("no work to take as it is") };
    expect(await page.press(KEY, "complete")).toMatchObject([409, { error }]);
    expect(await stateOf(rig)).toBe("ESCALATED");
  });
});

describe("a review deadlock of a coder that had completed", () => {
  const item = {
    kind: "deadlock",
    agent: null,
    coder: SECOND,
    what: "Rejected 2 times in a row (review_deadlock).",
    rounds: true,
    acts: ["resume", "kill"],
  };

  test("is named as such, on the list and on the page of the coder, and of no other attempt", async () => {
    const page = await pageOver(await deadlockOfCompleted());
    expect(await page.read("waiting")).toMatchObject({ waiting: [item] });
    expect(await page.read(view(SECOND))).toMatchObject({ waiting: [item] });
    expect(await page.read(view(KEY))).toMatchObject({ waiting: [] });
  });

  test("continues with as many rounds as the field says", async () => {
    const rig = await deadlockOfCompleted();
    const page = await pageOver(rig);
    expect(await page.press(SECOND, "resume", { rounds: 1 })).toMatchObject([200, { agent: `${KEY}.3` }]);
    expect(await taskOf(rig)).toMatchObject({ state: "READY_FOR_REVIEW", roundsGranted: 1 });
    expect(await page.read("waiting")).toMatchObject({ waiting: [{ kind: "review" }] });
    await rejects(rig, 1);
    expect(await page.read("waiting")).toMatchObject({ waiting: [{ kind: "deadlock", coder: `${KEY}.3` }] });
  });

  test("is given up by the button, also though its coder has ended", async () => {
    const rig = await deadlockOfCompleted();
    const page = await pageOver(rig);
    expect(await page.press(SECOND, "cancel")).toMatchObject([200, { agent: SECOND, state: "COMPLETED" }]);
    expect(await taskOf(rig)).toMatchObject({ state: "ABANDONED" });
    expect(await page.read("waiting")).toMatchObject({ waiting: [] });
    expect(await page.press(KEY, "cancel")).toMatchObject([409, { error: { code: "dead_agent" } }]);
  });
});

describe("rejected work that no coder takes up", () => {
  test("waits for a person, on the page and by the label, until one does", async () => {
    const rig = await rejectedAndLeft();
    const page = await pageOver(rig);
    const labels = () => rig.repository.issues.get(1)?.labels;
    expect(await taskOf(rig)).toMatchObject({ state: "REJECTED" });
    expect(labels()).toEqual(expect.arrayContaining(["needs-human", "flotilla:rejected"]));
    const url = "https://github.test/acme/shop/pull/4";
    const next = expect.stringMatching(/^No agent works on this: `\/flotilla start \[role\]`/);
    const what = expect.stringContaining("Wrong again (0).");
    expect(await page.read("waiting")).toMatchObject({
      waiting: [{ kind: "rejected", what, next, url, acts: [] }],
    });
    expect(await page.read("overview")).toMatchObject({ counts: { waiting: 1 } });
    await tell(rig, said(rig, 1, "/flotilla start feat-dev"));
    expect(labels()).not.toContain("flotilla:rejected");
    expect(await page.read("waiting")).not.toMatchObject({ waiting: [{ kind: "rejected" }] });
  });
});

test("rejected work is taken up again in place, by the role of its last coder, with a note", async () => {
  const rig = await rejectedAndLeft();
  const page = await pageOver(rig, "alice");
  const { waiting } = await page.read("waiting");
  expect(waiting).toMatchObject([{ kind: "rejected", start: { role: "feat-dev" } }]);
  const wish = { issue: 1, role: "feat-dev", words: "Use `map`." };
  const [status, body] = await page.send("repositories/acme%2Fshop/start", wish);
  expect([status, body]).toMatchObject([
    200,
    { issue: 1, agent: expect.stringMatching(/:feat-dev-issue-1\.\d$/) },
  ]);
  expect(toldTo(rig).join("\n")).toContain("Use `map`.");
  expect(await page.read("waiting")).not.toMatchObject({ waiting: [{ kind: "rejected" }] });
});

describe("the second attempt that begins by itself", () => {
  test("is on the card of its task and says when it starts; the first one offers nothing more", async () => {
    const page = await pageOver(await failedOnce());
    expect(await page.read("waiting")).toMatchObject({ waiting: [] });
    expect(await page.read("overview")).toMatchObject({
      tasks: [
        {
          state: "UNCLAIMED",
          live: {
            name: "feat-dev-issue-1.2",
            state: "CREATED",
            starts_at: "2025-12-21T22:45:35.000Z",
            place: null,
            why: expect.stringContaining("4 tries in a row failed"),
          },
        },
      ],
    });
    expect(await page.read(view(SECOND))).toMatchObject({
      agent: {
        now: expect.stringMatching(
          /^waits to start, not before 2025-12-21 22:45 UTC: the attempt before it failed \(4 tries in a row failed/,
        ),
        next: "it starts automatically; `/flotilla cancel` ends it",
        reason: expect.stringContaining("4 tries in a row failed"),
        acts: ["retry", "pause", "cancel"],
      },
    });
    expect(await page.read(view(KEY))).toMatchObject({ agent: { state: "FAILED", acts: [] } });
  });

  test.each([
    ["retry", "COMPLETED"],
    ["pause", "CREATED"],
    ["cancel", "CANCELLED"],
  ])("does what its button %s says", async (button, state) => {
    const rig = await failedOnce();
    const page = await pageOver(rig);
    expect(await page.press(SECOND, button)).toMatchObject([200, { agent: SECOND }]);
    expect(await stateOf(rig, "feat-dev-issue-1.2")).toBe(state);
    await rig.pass(6 * MINUTE);
    expect(await stateOf(rig, "feat-dev-issue-1.2")).toBe(state);
  });
});

describe("an agent on a person's pull request", () => {
  test("is offered no new attempt, for which a comment there asks", async () => {
    const script = [{ match: "Work on pull request #2 of", steps: [escalate] }];
    const rig = await aRig({ issues: 1, settings: { roles: ROLES }, script });
    personsPull(rig);
    const page = await pageOver(rig);
    await tell(rig, saidOnPull(rig, 2, "/flotilla fix"));
    expect(await page.read("waiting")).toMatchObject({
      waiting: [{ kind: "escalation", acts: ["resume", "complete", "kill"] }],
    });
    await tell(rig, saidOnPull(rig, 2, "/flotilla cancel"));
    const coder = view("acme/shop:feat-dev-issue-2");
    expect(await page.read(coder)).toMatchObject({ agent: { state: "CANCELLED", acts: [] } });
  });
});
