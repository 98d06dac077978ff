import { expect, it, vi } from "vitest";
import { GitHubError } from "../../../src/domain/kernel/errors.ts";
import type { Schedule } from "../../../src/domain/settings/schedules-section.ts";
import type { Settings } from "../../../src/domain/settings/settings.ts";
import { aDomainEvent } from "../../factories/an-occurrence.ts";
import { HOUR, MINUTE } from "../../factories/moment.ts";
import { someSettings } from "../../factories/some-settings.ts";
import { BOT } from "../../fakes/github-world.ts";
import { stateOf } from "../look.ts";
import { methodOf } from "../method-of.ts";
import { labeled, tell } from "../people.ts";
import { aRig, type Rig, type RigOptions } from "../rig.ts";
import { escalate, on, work } from "../scripts.ts";

const DAY = 24 * HOUR;

const UPDATE: Schedule = {
  repository: "acme/shop",
  cron: "0 6 * * *",
  timeZone: "UTC",
  jitter: undefined,
  role: "feat-dev",
  title: "Update dependencies",
  body: "Update them all.",
};

const daily = (more: Partial<Schedule> = {}, settings: Partial<Settings> = {}): RigOptions => ({
  script: [on(1, ...work), on(4, ...work), on(5, ...work), on(6, ...work)],
  settings: { ...settings, schedules: { daily: { ...UPDATE, ...more } } },
});

/** A rig that knows its repository, since a webhook has come, and has seen its schedules. */
async function known(options: RigOptions): Promise<Rig> {
  const rig = await aRig(options);
  await tell(rig, labeled(rig, 1, { label: "question" }));
  await rig.pass(0);
  return rig;
}

const scheduled = (rig: Rig) =>
  [...rig.repository.issues.values()]
    .filter(({ title }) => title === UPDATE.title)
    .map(({ number }) => number);

function close(rig: Rig, number: number): void {
  const issue = rig.repository.issues.get(number);
  if (issue === undefined) throw new Error(`there is no issue ${number}`);
  rig.repository.issues.set(number, { ...issue, state: "closed" });
}

it("opens an issue at its time, says where it comes from, and starts the role on it", async () => {
  const rig = await known(daily());
  await rig.pass(7 * HOUR);
  expect(scheduled(rig)).toEqual([]);
  await rig.pass(HOUR);
  expect(scheduled(rig)).toEqual([4]);
  expect(rig.repository.issues.get(4)?.body).toMatch(
    /^Update them all\.\n\n---\nFlotilla opened this issue for the schedule `daily`/,
  );
  expect(await stateOf(rig, "feat-dev-issue-4")).toBe("COMPLETED");
});

it("starts its role although the webhook of the new issue came first and started a triage", async () => {
  const policy = { ...someSettings().policy, readUntrusted: true };
  const rig = await known({ ...daily({}, { policy }), script: [on(4, escalate)] });
  const createIssue = methodOf(rig.github, "createIssue");
  vi.spyOn(rig.github, "createIssue").mockImplementation(async (...given) => {
    const issue = await createIssue(...given);
    const fields = { delivery: "o", at: rig.clock.now(), actor: BOT, permitted: false };
    await rig.engine.handle(aDomainEvent("issue_opened", { ...fields, issue }));
    return issue;
  });
  await rig.pass(8 * HOUR);
  const agents = await rig.store.records.find("agent", { issue: 4 });
  expect(agents.map(({ role }) => role).toSorted()).toEqual(["feat-dev", "triage"]);
});

it("opens no second issue while the first is open, and one after it is closed", async () => {
  const rig = await known(daily());
  await rig.pass(8 * HOUR);
  await rig.pass(DAY);
  expect(scheduled(rig)).toEqual([4]);
  close(rig, 4);
  await rig.pass(DAY);
  expect(scheduled(rig)).toHaveLength(2);
});

it("opens the next one although the one before was deleted", async () => {
  const rig = await known(daily());
  await rig.pass(8 * HOUR);
  const gone = new GitHubError("not_found", "Not Found", 404, { consequence: "stop" });
  const issue = methodOf(rig.github, "issue");
  vi.spyOn(rig.github, "issue").mockImplementation((repository, number) =>
    number === 4 ? Promise.reject(gone) : issue(repository, number),
  );
  await rig.pass(DAY);
  expect(scheduled(rig)).toHaveLength(2);
});

it("does what was missed while Flotilla was stopped once", async () => {
  const rig = await known(daily());
  await rig.pass(8 * HOUR);
  close(rig, 4);
  rig.clock.advance(10 * DAY);
  await rig.restart();
  await rig.pass(MINUTE);
  const [, second = 0, ...more] = scheduled(rig);
  expect(more).toEqual([]);
  close(rig, second);
  await rig.pass(HOUR);
  expect(scheduled(rig)).toHaveLength(2);
});

it("goes on after the clock was a year ahead for a while", async () => {
  const rig = await known(daily());
  await rig.pass(8 * HOUR);
  rig.clock.set(365 * DAY);
  close(rig, 4);
  await rig.pass(MINUTE);
  for (const number of scheduled(rig)) close(rig, number);
  rig.clock.set(-365 * DAY);
  const before = scheduled(rig).length;
  await rig.pass(MINUTE);
  // The time of this day was made up for while the clock was ahead.
  await rig.pass(DAY);
  await rig.pass(DAY);
  expect(scheduled(rig)).toHaveLength(before + 1);
});

it("knows an issue that is open for longer than finished effects are kept", async () => {
  const rig = await known(daily());
  await rig.pass(8 * HOUR);
  for (let day = 0; day < 3; day += 1) await rig.pass(30 * DAY);
  for (const walk of rig.store.retention.walks)
    await rig.store.retention.sweep(walk, { from: 0, before: rig.clock.now(), limit: 1000 });
  expect(await rig.store.effects.find({ kind: "open_scheduled" })).toHaveLength(1);
  await rig.restart();
  await rig.pass(DAY);
  expect(scheduled(rig)).toEqual([4]);
});

it("begins with its first time although no process that knew it before lives then", async () => {
  const rig = await known(daily());
  await rig.pass(MINUTE);
  rig.clock.advance(8 * HOUR);
  await rig.restart();
  await rig.pass(MINUTE);
  expect(scheduled(rig)).toEqual([4]);
});

it("begins with its first time after it was written, not with those before", async () => {
  const rig = await known(daily());
  await rig.restart();
  await rig.pass(MINUTE);
  expect(scheduled(rig)).toEqual([]);
});

it("opens one issue although the process ends after it was opened", async () => {
  const rig = await known(daily());
  rig.onCrashPoint = (name) => {
    if (name === "effect:open_scheduled") rig.life.end();
  };
  rig.clock.advance(8 * HOUR);
  void rig.engine.tick();
  await rig.until("it ends", () => rig.life.over);
  rig.onCrashPoint = () => {};
  await rig.restart();
  await rig.pass(HOUR);
  expect(scheduled(rig)).toEqual([4]);
  expect(await stateOf(rig, "feat-dev-issue-4")).toBe("COMPLETED");
});

it("begins later by its jitter", async () => {
  const rig = await known(daily({ jitter: 12 * HOUR }));
  await rig.pass(7 * HOUR + 20 * MINUTE);
  expect(scheduled(rig)).toEqual([]);
  await rig.pass(12 * HOUR);
  expect(scheduled(rig)).toHaveLength(1);
});

it("only records what it would open where the level forbids it", async () => {
  const rig = await known(daily({}, { level: "comment" }));
  await rig.pass(8 * HOUR);
  expect(scheduled(rig)).toEqual([]);
  const rows = await rig.store.effects.find({ kind: "open_scheduled" });
  expect(rows.map(({ state }) => state)).toEqual(["done", "skipped"]);
});

it("waits while its repository is paused", async () => {
  const rig = await known(daily());
  await rig.engine.operations.pauseScope({ scope: "all", by: "operator:me", reason: null });
  await rig.pass(8 * HOUR);
  expect(scheduled(rig)).toEqual([]);
  await rig.engine.operations.resumeScope({ scope: "all", by: "alice" });
  await rig.pass(MINUTE);
  expect(scheduled(rig)).toEqual([4]);
});

it("waits for a first webhook of its repository, and says so once", async () => {
  const rig = await aRig(daily());
  await rig.pass(8 * HOUR);
  await rig.pass(DAY);
  expect(scheduled(rig)).toEqual([]);
  expect(
    rig.logged.filter(({ message }) => message.includes("no webhook of the schedule's repository")),
  ).toHaveLength(1);
});
