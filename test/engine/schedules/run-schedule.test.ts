import { expect, it } from "vitest";
import type { Settings } from "../../../src/domain/settings/settings.ts";
import { HOUR } from "../../factories/moment.ts";
import { labeled, tell } from "../people.ts";
import { aRig, type Rig } from "../rig.ts";
import { on, work } from "../scripts.ts";

const DAILY = {
  repository: "acme/shop",
  cron: "0 6 * * *",
  timeZone: "UTC",
  jitter: undefined,
  role: "feat-dev",
  title: "Update dependencies",
  body: "Update them all.",
};
const WISH = { repository: "acme/shop", schedule: "daily", id: "click-1", by: "alice" };

async function known(settings: Partial<Settings> = {}): Promise<Rig> {
  const rig = await aRig({
    script: [on(4, ...work)],
    settings: { schedules: { daily: DAILY, other: { ...DAILY, repository: "acme/other" } }, ...settings },
  });
  await tell(rig, labeled(rig, 1, { label: "question" }));
  await rig.pass(0);
  return rig;
}

async function run(rig: Rig, wish: Partial<typeof WISH> = {}) {
  const ran = rig.engine.operations.runSchedule({ ...WISH, ...wish });
  await rig.idle();
  return ran;
}

it("opens its issue now, starts its role there, and records who asked for it", async () => {
  const rig = await known();
  expect(await run(rig)).toEqual({ issue: 4, skipped: null });
  expect((await rig.store.records.find("agent", { issue: 4 })).map(({ role }) => role)).toContain("feat-dev");
  const made = rig.store.lists.lastScheduled(["issue:7#schedule:daily"]);
  expect(await made).toMatchObject([{ result: { number: 4 }, state: "done" }]);
  expect(await run(rig)).toEqual({ issue: 4, skipped: null });
  expect(await run(rig, { id: "click-2" })).toEqual({ issue: null, skipped: "#4 is open" });
});

it("leaves its next time as it is", async () => {
  const rig = await known();
  await run(rig);
  const issue = rig.repository.issues.get(4);
  if (issue === undefined) throw new Error("it opened none");
  rig.repository.issues.set(4, { ...issue, state: "closed" });
  await rig.pass(8 * HOUR);
  expect(await rig.store.lists.lastScheduled(["issue:7#schedule:daily"])).toMatchObject([
    { result: { number: 6 } },
  ]);
});

it.each([
  [{ schedule: "weekly" }, "there is no schedule weekly of acme/shop"],
  [{ schedule: "other" }, "there is no schedule other of acme/shop"],
  [{ schedule: "constructor" }, "there is no schedule constructor of acme/shop"],
  [{ repository: "acme/none" }, "there is no repository acme/none"],
])("begins nothing that is not a schedule of that repository: %j", async (wish, message) => {
  const rig = await known();
  await expect(rig.engine.operations.runSchedule({ ...WISH, ...wish })).rejects.toMatchObject({ message });
  expect(await rig.store.effects.find({ kind: "open_scheduled", state: "done" })).toHaveLength(1);
});

it("begins nothing while the repository is paused", async () => {
  const rig = await known();
  await rig.engine.operations.pauseScope({ scope: "all", by: "operator:me", reason: null });
  await expect(rig.engine.operations.runSchedule(WISH)).rejects.toMatchObject({ code: "not_steered" });
});

it("says that the level forbids it", async () => {
  const rig = await known({ level: "comment" });
  expect(await run(rig)).toEqual({ issue: null, skipped: expect.stringContaining("comment") });
});
