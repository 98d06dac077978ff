import { expect, it } from "vitest";
import type { RepositoryEventOf } from "../../../src/domain/events/repository-event.ts";
import { issueEffect } from "../../../src/engine/kernel/effect-rows.ts";
import { insertAgent } from "../../adapters/store/samples.ts";
import { aRepository } from "../../factories/an-occurrence.ts";
import { MINUTE } from "../../factories/moment.ts";
import { person } from "../../fakes/github-world.ts";
import { stateOf, statusComments } from "../look.ts";
import { methodOf } from "../method-of.ts";
import { labeled, tell } from "../people.ts";
import { aRig, REPOSITORY, type Rig } from "../rig.ts";
import { blocked, type Conversation, on, work } from "../scripts.ts";
import { gitGoes, gitIsBack } from "../truth/git-away.ts";

const GIB = 1024 ** 3;
const WAITS = "| waits for #9 to be closed |";
const FULL =
  "(held: the disk of the data directory has less than 1 GiB free; it continues when there is room again)";

const shown = (rig: Rig, issue = 1) => statusComments(rig, issue).at(-1) ?? "";

/** Its agent sleeps for another issue, and nothing here ends that. */
async function asleep(others: readonly Conversation[] = []): Promise<Rig> {
  const rig = await aRig({ script: [on(1, blocked(9)), ...others], issues: 9 });
  await tell(rig, labeled(rig, 1));
  expect(await stateOf(rig)).toBe("SLEEPING");
  expect(shown(rig)).toContain(WAITS);
  return rig;
}

async function free(rig: Rig, bytes: number): Promise<void> {
  rig.disk.freeBytes = bytes;
  rig.clock.advance(MINUTE);
  await rig.engine.watchDisk();
  await rig.idle();
}

const becomes = async (
  rig: Rig,
  change: RepositoryEventOf<"repository_changed">["change"],
  hidden: boolean,
) => {
  await rig.engine.handle({
    type: "repository_changed",
    delivery: `news-${change}`,
    at: rig.clock.now(),
    actor: person("alice"),
    repository: aRepository({ private: hidden }),
    change,
    was: null,
  });
  await rig.idle();
};

it("the status comment of a sleeper follows a disk that fills up and has room again", async () => {
  const rig = await asleep();
  await free(rig, GIB / 4);
  expect(shown(rig)).toContain(FULL);
  await free(rig, 90 * GIB);
  expect(shown(rig)).toContain(WAITS);
});

it("the status comment of a sleeper follows a repository that everybody can write to", async () => {
  const rig = await asleep();
  await becomes(rig, "publicized", false);
  expect(shown(rig)).toContain("(held: the repository is public and agents run unconfined)");
  await becomes(rig, "privatized", true);
  expect(shown(rig)).toContain(WAITS);
});

it("the status comment of a sleeper follows an incident of others", async () => {
  const rig = await asleep([1, 2, 3].map((issue) => on(issue + 1, ...work)));
  gitGoes(rig);
  for (const issue of [2, 3, 4]) await tell(rig, labeled(rig, issue));
  for (let minute = 0; minute < 30; minute += 1) await rig.pass(MINUTE);
  expect(shown(rig)).toMatch(/\(held: .* is paused by an incident: /);
  await gitIsBack(rig);
  for (let minute = 0; minute < 30; minute += 1) await rig.pass(MINUTE);
  expect((await rig.store.incidents.list()).map(({ state }) => state)).toEqual(["closed"]);
  expect(shown(rig)).toContain(WAITS);
});

it("the status comment of a sleeper follows a hold that has ended while no process ran", async () => {
  const rig = await asleep();
  await free(rig, GIB / 4);
  expect(shown(rig)).toContain(FULL);
  rig.disk.freeBytes = 90 * GIB;
  await rig.restart();
  await rig.pass(MINUTE);
  expect(shown(rig)).toContain(WAITS);
});

it("of many sleepers only so many status comments are renewed at once, and in the end all are", async () => {
  const count = 250;
  const rig = await aRig({ issues: count, watched: false });
  const { store, clock } = rig;
  for (let issue = 1; issue <= count; issue += 1) {
    const place = { repositoryId: REPOSITORY.id, issue };
    await insertAgent(store, { ...place, name: `a-${issue}`, state: "ESCALATED", reason: "Which?" });
    const told = issueEffect({ ...place, effect: { kind: "status_comment" }, at: clock.now() });
    await store.effects.add([{ ...told, key: `first-${issue}` }]);
  }
  await rig.idle();
  const put = methodOf(rig.github, "putComment");
  const { promise: back, resolve: comes } = Promise.withResolvers<void>();
  let asked = 0;
  rig.github.putComment = async (...args) => {
    asked += 1;
    await back;
    return put(...args);
  };
  rig.disk.freeBytes = GIB / 4;
  await rig.engine.watchDisk();
  for (let round = 0; round < 5; round += 1) await rig.engine.tick();
  await rig.until("the first are asked", () => asked >= 8);
  await rig.engine.tick();
  const open = await store.effects.find({ kind: "status_comment", state: ["pending", "leased"] });
  expect([open.length, asked]).toEqual([8, 8]);
  comes();
  await rig.idle();
  const issues = Array.from({ length: count }, (_, index) => index + 1);
  expect(issues.filter((issue) => !shown(rig, issue).includes(FULL))).toEqual([]);
  expect(asked).toBe(count);
});
