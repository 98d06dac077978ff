import { expect, it } from "vitest";
import type { DomainEvent } from "../../../src/domain/events/domain-event.ts";
import { someSettings } from "../../factories/some-settings.ts";
import { asked, questionOf } from "../asking.ts";
import { limitsOf } from "../limits-of.ts";
import { agentOf, commentsOn, toldTo } from "../look.ts";
import { approvedWork, merging } from "../merge-queue-rig.ts";
import { labeled, pullClosed, said, tell } from "../people.ts";
import { aRig, type Rig } from "../rig.ts";
import { after, call, edit, on, work } from "../scripts.ts";
import { pullOf } from "../together/work-under-way.ts";
import { callsOf } from "../told.ts";

/** What a person does. Resolves with whether it was done, as its person is told once all is quiet. */
type Act = (rig: Rig) => Promise<() => boolean>;

/** A comment was taken where its reaction is a thumbs up, and refused where it is a confused face. */
const says =
  (body: string, by: string): Act =>
  async (rig) => {
    const event: DomainEvent = said(rig, 1, body, { by });
    await rig.engine.handle(event);
    return () => {
      const mine = rig.repository.reactions.filter(
        ({ commentId }) => event.type === "commented" && commentId === event.commentId,
      );
      expect(mine).toHaveLength(1);
      return mine[0]?.reaction === "+1";
    };
  };

let clicked = 0;
const clicks =
  (operation: (rig: Rig, request: { readonly id: string }) => Promise<unknown>): Act =>
  async (rig) => {
    clicked += 1;
    const refusal = await operation(rig, { id: `click-${clicked}` }).then(
      () => null,
      (error: unknown) => error,
    );
    if (refusal !== null) expect(refusal).toMatchObject({ code: expect.any(String) });
    return () => refusal === null;
  };

const { runtime } = someSettings();
const curl = call("bash", { command: "curl https://example.com/" });

/** An agent that asks about a call, and makes it again when it is awake. */
async function asking(): Promise<Rig> {
  const again = after("You are awake again", curl);
  const rig = await aRig({
    settings: { runtime: { ...runtime, permissionMode: "ask" } },
    script: [on(1, curl, again, edit(), ...work.slice(1))],
  });
  await tell(rig, labeled(rig, 1));
  return rig;
}

const decides = (verdict: "approve" | "deny", by: string): Act =>
  clicks((rig, { id }) => rig.engine.operations.decideCall({ approval: 1, verdict, id, by, reason: null }));

const ACT = { agent: "acme/shop:feat-dev-issue-1", by: "carol", reason: null };
const resumes = clicks((rig, { id }) => rig.engine.operations.resume({ ...ACT, id }));
const cancels = clicks((rig, { id }) => rig.engine.operations.kill({ ...ACT, id }));

function answers(text: string, by: string): Act {
  return clicks((rig, { id }) => rig.engine.operations.answerQuestion({ question: 1, text, id, by }));
}

const AT_ONCE = ["at once", "ten of each at once"] as const;
const WAYS = ["one by one", "the other way round", ...AT_ONCE] as const;
type Way = (typeof WAYS)[number];

/** Returns how often each of two acts was done. */
async function both(rig: Rig, one: Act, other: Act, way: Way): Promise<readonly [number, number]> {
  const told: [(() => boolean)[], (() => boolean)[]] = [[], []];
  const acts = [
    async () => void told[0].push(await one(rig)),
    async () => void told[1].push(await other(rig)),
  ] as const;
  if (way === "at once") await Promise.all(acts.map((act) => act()));
  else if (way === "ten of each at once")
    await Promise.all(
      Array.from({ length: 10 }, () => acts).flatMap(([first, second]) => [first(), second()]),
    );
  else
    for (const act of way === "one by one" ? acts : acts.toReversed()) {
      await act();
      await rig.idle();
    }
  await rig.idle();
  return [told[0].filter((done) => done()).length, told[1].filter((done) => done()).length];
}

const YES_AND_NO: readonly (readonly [what: string, yes: Act, no: Act, ways: readonly Way[]])[] = [
  ["clicks", decides("approve", "alice"), decides("deny", "bob"), WAYS],
  ["a comment and a click", says("/flotilla approve", "alice"), decides("deny", "bob"), AT_ONCE],
  ["comments", says("/flotilla approve", "alice"), says("/flotilla deny no", "bob"), AT_ONCE],
];

it.each(YES_AND_NO.flatMap(([what, yes, no, ways]) => ways.map((way) => [what, way, yes, no] as const)))(
  "of a yes and a no by %s, %s, one counts, and only its person is told so",
  async (_, way, yes, no) => {
    const rig = await asking();
    const [granted, denied] = await both(rig, yes, no, way);
    expect(granted + denied).toBe(1);
    const row = await rig.store.approvals.get(1);
    expect(row?.decidedBy).toBe(granted === 1 ? "alice" : "bob");
    expect(toldTo(rig)[1]).toContain(granted === 1 ? "lets this call pass once" : "says no to this call");
    expect(toldTo(rig)[1]?.match(/@(?:alice|bob)/g)).toEqual([granted === 1 ? "@alice" : "@bob"]);
  },
);

const undoes = (by: string): Act =>
  clicks((rig, { id }) => rig.engine.operations.takeBackApproval({ approval: 1, id, by }));

/** The same agent with the permission that it has not used yet. */
async function permitted(): Promise<Rig> {
  const rig = await asking();
  await rig.engine.operations.pause({ ...ACT, id: "p" });
  await tell(rig, said(rig, 1, "/flotilla approve"));
  return rig;
}

it.each(AT_ONCE)("of an undo and a no to what is allowed already, %s, the undo counts once", async (way) => {
  const rig = await permitted();
  const [undone, denied] = await both(rig, undoes("alice"), decides("deny", "bob"), way);
  expect([undone, denied]).toEqual([1, 0]);
  expect(await rig.store.approvals.get(1)).toMatchObject({ state: "denied", decidedBy: "alice" });
});

it.each(AT_ONCE)("of an undo and a resume, %s, an undo that is told as done leaves no call", async (way) => {
  const rig = await permitted();
  const [undone] = await both(rig, undoes("alice"), resumes, way);
  const calls = (await callsOf(rig)).filter(({ tool, status }) => tool === "bash" && status === "success");
  expect(calls).toHaveLength(undone === 1 ? 0 : 1);
});

it.each(AT_ONCE)(
  "of two answers by clicks, %s, one is the answer, and only its person is told so",
  async (way) => {
    const rig = await asked();
    const [mit, gpl] = await both(rig, answers("MIT", "alice"), answers("GPL 3", "bob"), way);
    expect(mit + gpl).toBe(1);
    expect(await questionOf(rig)).toMatchObject(
      mit === 1 ? { answer: "MIT", answeredBy: "alice" } : { answer: "GPL 3", answeredBy: "bob" },
    );
  },
);

it.each(WAYS)(
  "of an answer by comment and one by click, %s, a late comment is answered with the first",
  async (way) => {
    const rig = await asked();
    await both(rig, says("/flotilla answer MIT", "alice"), answers("GPL 3", "bob"), way);
    const { answeredBy } = await questionOf(rig);
    const told = commentsOn(rig).filter((body) =>
      /`@bob` was first to answer, and that counts: `GPL 3`|`\/flotilla answer` changes nothing/.test(body),
    );
    expect(told).toHaveLength(answeredBy === "bob" ? 1 : 0);
  },
);

it.each(WAYS)(
  "of a continue and a cancel at a limit, %s, the cancel counts once, and nothing runs after it",
  async (way) => {
    const steps = [edit(), edit("a.ts"), after("You are awake again", edit("b.ts")), ...work.slice(1)];
    const rig = await aRig({ settings: limitsOf({ maxTurns: 2 }), script: [on(1, ...steps)] });
    await tell(rig, labeled(rig, 1));
    const [continued, cancelled] = await both(rig, says("/flotilla continue", "alice"), cancels, way);
    expect([continued, cancelled]).toEqual([way === "one by one" ? 1 : 0, 1]);
    expect((await agentOf(rig)).state).toBe("CANCELLED");
    expect(rig.runtime.running.size).toBe(0);
  },
);

const merges = clicks((rig, { id }) =>
  rig.engine.operations.mergeWork({ repository: "acme/shop", issue: 1, id, by: "alice" }),
);
/** Closes the pull request on GitHub, which lets nobody close what is merged. */
const closes: Act = async (rig) => {
  if (rig.repository.pulls.get(pullOf(rig))?.state !== "open") return () => false;
  await rig.engine.handle(pullClosed(rig, pullOf(rig), { merged: false, by: "bob" }));
  return () => true;
};

it.each(WAYS)(
  "of a merge and a close, %s, either it is merged or its person is told that it is not",
  async (way) => {
    const merge = { auto: false, maxRisk: undefined, method: "squash" } as const;
    const rig = await approvedWork({ settings: { ...merging(), merge } });
    const [merged, closed] = await both(rig, merges, closes, way);
    expect(rig.repository.pulls.get(pullOf(rig))?.merged).toBe(merged > 0);
    expect(closed).toBe(merged > 0 ? 0 : 1);
  },
);
