import { describe, expect, it } from "vitest";
import { limitsOf } from "../engine/limits-of.ts";
import { agentOf, stateOf, taskOf, toldTo } from "../engine/look.ts";
import { approvedWork } from "../engine/merge-queue-rig.ts";
import { issueOf, labeled, tell } from "../engine/people.ts";
import { aRig, REPOSITORY, type Rig, type RigOptions } from "../engine/rig.ts";
import {
  after,
  blocked,
  commit,
  complete,
  edit,
  escalate,
  on,
  onAttempt,
  openPr,
  work,
} from "../engine/scripts.ts";
import { pageOver } from "./page-over.ts";

/** A rig whose repository Flotilla knows, though nothing has happened there yet. */
async function known(options: RigOptions = {}): Promise<Rig> {
  const rig = await aRig(options);
  await rig.store.repositories.put({ ...REPOSITORY, private: true, defaultBranch: "main" });
  return rig;
}

const KEY = "acme/shop:feat-dev-issue-1";
const SHOP = "repositories/acme%2Fshop";

async function atTheLimit(): Promise<Rig> {
  const script = [
    on(1, edit(), commit, openPr, after("You are awake again", edit("more.ts")), ...work.slice(1)),
  ];
  const rig = await aRig({ settings: limitsOf({ maxTurns: 3 }), script });
  await tell(rig, labeled(rig, 1));
  return rig;
}

describe("a limit", () => {
  it("is raised by the number that a person gives, with a note to the agent", async () => {
    const rig = await atTheLimit();
    const page = await pageOver(rig, "alice");
    expect(await page.read("waiting")).toMatchObject({
      waiting: [
        {
          kind: "turns",
          raise: { what: "turns", usual: 3, required: false },
          acts: ["continue", "complete", "kill"],
        },
      ],
    });
    expect(await page.press(KEY, "continue", { amount: "9", reason: "Finish the tests." })).toMatchObject([
      200,
      {},
    ]);
    expect(await agentOf(rig)).toMatchObject({ extraTurns: 9 });
    expect(toldTo(rig).join("\n")).toContain("@alice says: continue.\n\nFinish the tests.");
    expect((await taskOf(rig))?.state).toBe("READY_FOR_REVIEW");
  });

  it.each([
    ["500", "500 turns at once are more than circuit_breakers.turn_ceiling, which is 200"],
    ["+$5", "feat-dev-issue-1 was stopped by max_turns, and this raises something else"],
    ["1.5", "turns are granted in whole numbers"],
    ["many", "`many` is no amount"],
    ["-3", "`-3` is no amount"],
  ])("is not raised by %s, by the same rules as in a comment", async (amount, why) => {
    const rig = await atTheLimit();
    const page = await pageOver(rig, "alice");
    expect(await page.press(KEY, "continue", { amount })).toMatchObject([409, { error: { reason: why } }]);
    expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", extraTurns: 0 });
  });

  it("of tool calls stops the agent until a person gives a number of them, or half of it", async () => {
    const script = [
      on(1, edit(), edit("b.ts"), edit("c.ts"), after("You are awake again", edit("d.ts")), ...work.slice(1)),
    ];
    const rig = await aRig({ settings: limitsOf({ maxToolCalls: 1 }), script });
    await tell(rig, labeled(rig, 1));
    const page = await pageOver(rig, "alice");
    expect(await page.read("waiting")).toMatchObject({
      waiting: [{ kind: "escalation", raise: { what: "tool calls", usual: 1, required: false } }],
    });
    expect(await page.press(KEY, "continue", { amount: "20" })).toMatchObject([200, {}]);
    expect(await agentOf(rig)).toMatchObject({ state: "COMPLETED", extraToolCalls: 20 });
  });
});

it("resumes one that needs a person with a note, and retries one that failed with another", async () => {
  const rig = await aRig({ script: [on(1, escalate, after("Take the second", edit()), ...work.slice(1))] });
  await tell(rig, labeled(rig, 1));
  const page = await pageOver(rig, "alice");
  expect(await page.press(KEY, "resume", { reason: "Take the second." })).toMatchObject([200, {}]);
  expect(toldTo(rig).join("\n")).toContain("@alice says:\n\nTake the second.");
  expect(await stateOf(rig)).toBe("COMPLETED");
});

it("retries one that has ended with a note, in a new attempt", async () => {
  const rig = await aRig({ script: [onAttempt(1, 2, ...work), on(1, escalate)] });
  await tell(rig, labeled(rig, 1));
  const page = await pageOver(rig, "alice");
  await page.press(KEY, "cancel");
  expect(await page.press(KEY, "retry", { reason: "Mind the lock file." })).toMatchObject([
    200,
    { agent: `${KEY}.2` },
  ]);
  expect(toldTo(rig).join("\n")).toContain("@alice says:\n\nMind the lock file.");
  expect(await stateOf(rig, "feat-dev-issue-1.2")).toBe("COMPLETED");
});

it("sends a message in a person's name to an agent that sleeps, which wakes", async () => {
  const rig = await aRig({ script: [on(1, blocked(2), after("Message from", edit()), ...work.slice(1))] });
  await tell(rig, labeled(rig, 1));
  const page = await pageOver(rig, "alice");
  expect(await page.press(KEY, "send", { text: "Do not wait." })).toMatchObject([
    200,
    { heard: "when it wakes" },
  ]);
  expect(toldTo(rig).join("\n")).toContain("@alice says:\n\nDo not wait.");
  expect(await stateOf(rig)).toBe("COMPLETED");
  expect(await page.press(KEY, "send", { text: "Too late." })).toMatchObject([
    409,
    { error: { code: "dead_agent" } },
  ]);
});

describe("work that a person starts", () => {
  it("begins on an issue, in their name, with a note that the agent reads", async () => {
    const rig = await known({ script: [on(2, edit(), commit, openPr, complete)] });
    const page = await pageOver(rig, "alice");
    const [status, body] = await page.send(`${SHOP}/start`, {
      issue: 2,
      role: "feat-dev",
      words: "Keep it small.",
    });
    expect([status, body]).toMatchObject([200, { issue: 2, agent: "acme/shop:feat-dev-issue-2" }]);
    expect(toldTo(rig, 2)[0]).toContain("@alice says");
    expect(toldTo(rig, 2)[0]).toContain("Keep it small.");
    expect(await stateOf(rig, "feat-dev-issue-2")).toBe("COMPLETED");
    expect((await rig.store.issueTexts.of(7, 2))?.approvedBy).toBe("alice");
    expect(rig.repository.comments.get(2)?.some(({ body: text }) => text.includes("/flotilla start"))).toBe(
      false,
    );
  });

  it("begins on an issue that is opened for it, once", async () => {
    const rig = await known({ issues: 3, script: [on(4, edit(), commit, openPr, complete)] });
    const page = await pageOver(rig, "alice");
    const wish = { id: "a click", title: "Sort the list", text: "By date.", role: "feat-dev" };
    expect(await page.send(`${SHOP}/start`, wish)).toMatchObject([200, { issue: 4 }]);
    expect(await page.send(`${SHOP}/start`, wish)).toMatchObject([200, { issue: 4 }]);
    expect(issueOf(rig, 4)).toMatchObject({
      title: "Sort the list",
      body: expect.stringContaining("By date."),
    });
    expect(
      [...rig.repository.issues.keys()].filter(
        (number) => number > 3 && issueOf(rig, number).title === "Sort the list",
      ),
    ).toEqual([4]);
    expect(await stateOf(rig, "feat-dev-issue-4")).toBe("COMPLETED");
  });

  it("is refused by the same rules as in a comment, with what to do", async () => {
    const rig = await known({ script: [on(1, blocked(2), ...work)] });
    await tell(rig, labeled(rig, 1));
    const page = await pageOver(rig, "alice");
    const start = (body: object) => page.send(`${SHOP}/start`, body);
    expect(await start({ issue: 1, role: "feat-dev" })).toMatchObject([
      409,
      {
        error: {
          reason: "feat-dev-issue-1 already works on this issue (SLEEPING)",
          hint: expect.stringContaining("it continues"),
        },
      },
    ]);
    expect(await start({ issue: 2, role: "nobody" })).toMatchObject([
      409,
      { error: { reason: "there is no role `nobody`" } },
    ]);
    expect(await start({ issue: 99, role: "feat-dev" })).toMatchObject([
      404,
      { error: { message: "there is no issue #99 in acme/shop" } },
    ]);
    Object.assign(issueOf(rig, 2), { state: "closed" });
    expect(await start({ issue: 2, role: "feat-dev" })).toMatchObject([
      409,
      { error: { reason: "#2 is closed", hint: "reopen the issue" } },
    ]);
    expect(await rig.store.records.find("agent", {})).toHaveLength(1);
  });

  it("opens no issue where the level lets nothing out", async () => {
    const rig = await known({ settings: { level: "observe" } });
    const page = await pageOver(rig, "alice");
    const before = rig.repository.issues.size;
    expect(await page.send(`${SHOP}/start`, { title: "Sort the list", role: "feat-dev" })).toMatchObject([
      409,
      { error: { reason: expect.stringContaining("the level here is observe") } },
    ]);
    expect(rig.repository.issues.size).toBe(before);
  });
});

describe("approved work", () => {
  it("is merged in the name of the person who says so, where Flotilla may merge", async () => {
    const rig = await approvedWork({ settings: { level: "merge" } });
    const page = await pageOver(rig, "alice");
    expect(await page.read("waiting")).toMatchObject({
      waiting: [{ kind: "merge", merge: { pull: 4, here: true } }],
    });
    expect(await page.send(`${SHOP}/merge`, { issue: 1 })).toEqual([200, { pull: 4, merged: true }]);
    expect((await taskOf(rig))?.state).toBe("MERGED");
    expect(rig.repository.pulls.get(4)).toMatchObject({ merged: true });
    const moves = await rig.store.transitions.ofIssue(7, 1, 100);
    expect(moves.find(({ machine, to }) => machine === "task" && to === "MERGED")).toMatchObject({
      actor: "alice",
    });
    expect(await page.send(`${SHOP}/merge`, { issue: 1 })).toMatchObject([
      409,
      { error: { message: "the work of #1 is not approved, it is MERGED" } },
    ]);
  });

  it("is left to people on GitHub below that level", async () => {
    const rig = await approvedWork();
    const page = await pageOver(rig, "alice");
    expect(await page.read("waiting")).toMatchObject({
      waiting: [{ kind: "merge", merge: { pull: 4, here: false } }],
    });
    expect(await page.send(`${SHOP}/merge`, { issue: 1 })).toMatchObject([
      409,
      {
        error: {
          message: "Flotilla may not merge here: the level is pr",
          hint: expect.stringContaining("merge the pull request on GitHub"),
        },
      },
    ]);
    expect((await taskOf(rig))?.state).toBe("APPROVED");
  });

  it("is not merged while something stands against it, and says what", async () => {
    const rig = await approvedWork({ settings: { level: "merge" } });
    const page = await pageOver(rig, "alice");
    Object.assign(rig.repository.pulls.get(4) ?? {}, { draft: true });
    expect(await page.send(`${SHOP}/merge`, { issue: 1 })).toMatchObject([
      409,
      { error: { message: "#4 is a draft", hint: "mark it ready for review" } },
    ]);
  });
});
