import { expect, it } from "vitest";
import { z } from "zod";
import { redactor } from "../../../src/domain/access/redact.ts";
import { OutsideError } from "../../../src/domain/kernel/errors.ts";
import type { NoticeReceiver } from "../../../src/domain/settings/notices-section.ts";
import { incidentNotices } from "../../../src/engine/notices/queue-notices.ts";
import { aReceiver } from "../../factories/a-receiver.ts";
import { AT, HOUR, MINUTE } from "../../factories/moment.ts";
import { asked, willAsk } from "../asking.ts";
import { labeled, said, tell } from "../people.ts";
import { aRig, type Rig, type RigOptions } from "../rig.ts";
import { escalate, on, work } from "../scripts.ts";

const payload = z.looseObject({
  type: z.string(),
  data: z.object({ notices: z.array(z.looseObject({ event: z.string(), issue: z.int() })) }),
});

const told = (rig: Rig) => rig.notices.sent.map(({ body }) => payload.parse(JSON.parse(body)));
const events = (rig: Rig) => told(rig).map(({ data }) => data.notices.map(({ event }) => event));

const team = (more: Partial<NoticeReceiver> = {}): RigOptions => ({
  settings: { notices: { team: aReceiver(more) } },
});

/** The time of day. */
const time = (at: number) => new Date(at).toISOString().slice(11, 16);

const down = () =>
  new OutsideError("unavailable", "the receiver team answered 503", { consequence: "retry" });

it("tells of a question with what the status comment says of it, and a link", async () => {
  const rig = await asked({}, team());
  expect(rig.notices.sent).toMatchObject([
    { receiver: "team", id: expect.stringMatching(/^msg_[0-9a-f]{32}$/) },
  ]);
  expect(told(rig)).toEqual([
    {
      type: "flotilla.question",
      timestamp: new Date(AT).toISOString(),
      data: {
        notices: [
          {
            event: "question",
            at: new Date(AT).toISOString(),
            repository: "acme/shop",
            issue: 1,
            title: "Feature 1",
            text: "feat-dev waits for an answer: Which licence shall it have? Answer its comment, or say /flotilla answer <text>.",
            url: "https://github.com/acme/shop/issues/1",
            page: null,
          },
        ],
      },
    },
  ]);
});

it("tells nobody where no receiver is configured", async () => {
  const rig = await asked();
  expect(rig.notices.sent).toEqual([]);
  expect((await rig.store.effects.find({ kind: "notify" })).length).toBe(0);
});

it("tells each receiver of its own events alone", async () => {
  const rig = await aRig({
    script: [on(1, escalate)],
    settings: {
      notices: { team: aReceiver({ events: ["question"] }), oncall: aReceiver({ events: ["escalated"] }) },
    },
  });
  await tell(rig, labeled(rig, 1));
  expect(rig.notices.sent.map(({ receiver }) => receiver)).toEqual(["oncall"]);
  expect(events(rig)).toEqual([["escalated"]]);
});

it("tells that work waits for people once nobody reviews it, with a link to the pull request", async () => {
  const rig = await aRig({ script: [on(1, ...work)], ...team() });
  await tell(rig, labeled(rig, 1));
  expect(events(rig)).toEqual([]);
  await rig.pass(MINUTE);
  expect(events(rig).flat()).toEqual(["ready"]);
  expect(told(rig)[0]?.data.notices[0]).toMatchObject({ url: expect.stringMatching(/\/pull\/\d+$/) });
});

it("says nothing of a question that was answered in the meantime", async () => {
  const rig = await asked({}, team({ digestMs: HOUR }));
  await tell(rig, said(rig, 1, "1"));
  await rig.pass(2 * HOUR);
  expect(events(rig).flat()).not.toContain("question");
});

it.each(["standard", "slack", "discord"] as const)(
  "says in %s neither a secret of ours nor characters that nobody sees",
  async (format) => {
    const rig = await aRig({
      script: [on(1, escalate)],
      settings: { notices: { team: aReceiver({ format, secretEnv: undefined }) } },
      wrapped: (given) => ({ ...given, redact: redactor(["team_2-secret*of-the_host"]) }),
    });
    const issue = rig.repository.issues.get(1);
    if (issue === undefined) throw new Error("there is no issue 1");
    const title = "My team_2-secret*of-\u200Bthe_host \u202Ekey\uD800\nof acme/bank#2";
    rig.repository.issues.set(1, { ...issue, title });
    await tell(rig, labeled(rig, 1));
    const body = rig.notices.sent[0]?.body ?? "";
    expect(JSON.stringify(JSON.parse(body)).replaceAll("\\\\", "")).toContain(
      "My [redacted] key\uFFFD of acme/",
    );
  },
);

it.each([
  ["open", 1],
  ["closed", 0],
] as const)(
  "tells of an incident that is %s when its digest is due: %i messages",
  async (state, messages) => {
    const rig = await aRig(team({ digestMs: HOUR }));
    await tell(rig, labeled(rig, 1, { label: "question" }));
    const incident = await rig.store.incidents.add({
      state,
      scope: "repository:7",
      fingerprint: "f",
      text: "the provider refuses the key",
      repositoryId: 7,
      firstIssue: 1,
      issue: null,
      openedAt: AT,
      probeAt: AT + 9 * HOUR,
      probeAgentId: null,
      probeSince: null,
      failedProbes: 0,
      closedAt: state === "open" ? null : AT + MINUTE,
    });
    const place = { id: incident.id, repositoryId: 7, issue: 1, at: AT };
    await rig.store.effects.add(incidentNotices(rig.context.settings, place));
    await rig.pass(2 * HOUR);
    expect(rig.notices.sent).toHaveLength(messages);
  },
);

it("collects the notices of a digest, and sends them as one", async () => {
  const rig = await aRig({
    script: [on(1, escalate), on(2, escalate), on(3, escalate)],
    ...team({ digestMs: HOUR }),
  });
  await tell(rig, labeled(rig, 1));
  await rig.pass(30 * MINUTE);
  await tell(rig, labeled(rig, 2));
  expect(rig.notices.sent).toEqual([]);
  await rig.pass(31 * MINUTE);
  expect(events(rig)).toEqual([["escalated", "escalated"]]);
  expect(told(rig)[0]?.type).toBe("flotilla.digest");
  await tell(rig, labeled(rig, 3));
  await rig.pass(2 * HOUR);
  expect(told(rig).map(({ data }) => data.notices.map(({ issue }) => issue))).toEqual([[1, 2], [3]]);
});

it("sends nothing in quiet hours, and everything after them as one", async () => {
  const rig = await aRig({
    script: [on(1, escalate), on(2, escalate)],
    ...team({ quiet: { from: time(AT - HOUR), to: time(AT + HOUR), timeZone: "UTC" } }),
  });
  await tell(rig, labeled(rig, 1));
  await tell(rig, labeled(rig, 2));
  await rig.pass(59 * MINUTE);
  expect(rig.notices.sent).toEqual([]);
  await rig.pass(2 * MINUTE);
  expect(events(rig)).toEqual([["escalated", "escalated"]]);
});

it("tries again while a receiver is down, and sends what came meanwhile along with it", async () => {
  const rig = await aRig({ script: [on(1, escalate), on(2, escalate)], ...team() });
  rig.notices.faults.push(down(), down());
  await tell(rig, labeled(rig, 1));
  await tell(rig, labeled(rig, 2));
  expect(rig.notices.sent).toEqual([]);
  await rig.pass(MINUTE);
  await rig.pass(MINUTE);
  expect(events(rig)).toEqual([["escalated", "escalated"]]);
});

it("sends a notice again under the same id when the process dies before it has recorded that it was sent", async () => {
  const rig = await willAsk({}, team());
  rig.onCrashPoint = (name) => {
    if (name === "effect:notify") rig.life.end();
  };
  await rig.engine.handle(labeled(rig, 1));
  await Promise.race([rig.idle(), rig.life.ended]);
  expect(rig.life.over).toBe(true);
  rig.onCrashPoint = () => {};
  await rig.restart();
  await rig.pass(MINUTE);
  const [first, ...again] = rig.notices.sent;
  expect(again).toEqual([first]);
  expect(await rig.store.effects.find({ kind: "notify" })).toMatchObject([{ state: "done" }]);
});

it("gives up after a day on a receiver that only ever asks to wait", async () => {
  const rig = await aRig({ script: [on(1, escalate)], ...team() });
  const waits = () => {
    const retryAt = rig.clock.now() + 2 * HOUR;
    return new OutsideError("rate_limited", "the receiver team answered 429", {
      consequence: "park",
      retryAt,
    });
  };
  rig.notices.faults.push(waits());
  await tell(rig, labeled(rig, 1));
  const states: string[] = [];
  for (let hour = 0; hour < 26; hour += 1) {
    rig.notices.faults.splice(0, 1, waits());
    await rig.pass(HOUR + MINUTE);
    states.push(...(await rig.store.effects.find({ kind: "notify" })).map(({ state }) => state));
  }
  expect([states[20], states.at(-1)]).toEqual(["pending", "failed"]);
});

it("does not let one receiver that is down hold up another", async () => {
  const rig = await willAsk({}, { settings: { notices: { first: aReceiver(), second: aReceiver() } } });
  rig.notices.faults.push(down());
  await tell(rig, labeled(rig, 1));
  // Either of them may be asked first.
  expect(rig.notices.sent).toHaveLength(1);
  await rig.pass(MINUTE);
  expect(rig.notices.sent.map(({ receiver }) => receiver).toSorted()).toEqual(["first", "second"]);
});

it("gives up on an address that is wrong, records why, and goes on with the next notice", async () => {
  const rig = await aRig({ script: [on(1, escalate), on(2, escalate)], ...team() });
  rig.notices.faults.push(
    new OutsideError("refused", "the receiver team answered 404", {
      consequence: "stop",
      advice: "Check it.",
    }),
  );
  await tell(rig, labeled(rig, 1));
  await tell(rig, labeled(rig, 2));
  expect(events(rig)).toEqual([["escalated"]]);
  const failed = await rig.store.effects.find({ kind: "notify", state: "failed" });
  expect(failed).toMatchObject([{ error: "the receiver team answered 404" }]);
  const decisions = await rig.store.decisions.ofIssue(7, 1, 10);
  expect(decisions).toContainEqual(
    expect.objectContaining({
      rule: "effect_failed",
      reason: "telling a receiver of notices failed: the receiver team answered 404",
      change: "Check it.",
    }),
  );
});
