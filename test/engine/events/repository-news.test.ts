import { expect, it } from "vitest";
import type { RepositoryEvent, RepositoryEventOf } from "../../../src/domain/events/repository-event.ts";
import { aRepository } from "../../factories/an-occurrence.ts";
import { HOUR, MINUTE } from "../../factories/moment.ts";
import { withoutPutOff } from "../../factories/put-off.ts";
import { CONFINED } from "../../factories/some-settings.ts";
import { addIssue, person } from "../../fakes/github-world.ts";
import { agentOf, commentsOn, decisionsOn, stateOf, statusComments, taskOf, toldTo } from "../look.ts";
import { methodOf } from "../method-of.ts";
import { labeled, tell } from "../people.ts";
import { aRig, REPOSITORY, type Rig } from "../rig.ts";
import { after, blocked, commit, edit, on, slowly, work } from "../scripts.ts";

const { installationId } = REPOSITORY;

const base = (rig: Rig) => {
  rig.deliveries += 1;
  return { delivery: `d-${rig.deliveries}`, at: rig.clock.now(), actor: person("alice") };
};

const changed = (
  rig: Rig,
  change: RepositoryEventOf<"repository_changed">["change"],
  named: Parameters<typeof aRepository>[0] = {},
): RepositoryEvent => ({
  ...base(rig),
  type: "repository_changed",
  repository: aRepository(named),
  change,
  was: named?.name === undefined ? null : "acme/shop",
});

const installation = (
  rig: Rig,
  change: RepositoryEventOf<"installation_changed">["change"],
): RepositoryEvent => ({ ...base(rig), type: "installation_changed", installationId, change });

const covers = (rig: Rig, { added = false, removed = false }): RepositoryEvent => {
  const { owner, name, id } = REPOSITORY;
  return {
    ...base(rig),
    type: "coverage_changed",
    installationId,
    added: added ? [{ id, owner, name, private: true }] : [],
    removed: removed ? [id] : [],
  };
};

async function news(rig: Rig, ...all: readonly RepositoryEvent[]): Promise<void> {
  for (const one of all) await rig.engine.handle(one);
  await rig.idle();
}

/** An agent on issue 1 in the middle of an exchange, one on issue 2 that waits for issue 3. */
async function atWork(settings: Parameters<typeof aRig>[0] = {}): Promise<Rig> {
  const first = on(
    1,
    slowly(MINUTE, edit()),
    after("You are awake again", edit("late.ts")),
    ...work.slice(1),
  );
  const rig = await aRig({ script: [on(2, blocked(3)), first], ...settings });
  await tell(rig, labeled(rig, 2));
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("it talks", () => rig.runtime.running.size === 1);
  const unwritten = async () =>
    withoutPutOff(await rig.store.effects.find({ state: ["pending", "leased"] }), rig.clock.now());
  await rig.until("all is written", async () => (await unwritten()).length === 0);
  return rig;
}

it.each(["suspended", "archived"] as const)(
  "stops all work at once while it is %s, writes nothing there meanwhile, and continues after it",
  async (state) => {
    const rig = await atWork();
    const is = (over: boolean) =>
      state === "archived"
        ? changed(rig, over ? "unarchived" : "archived")
        : installation(rig, over ? "unsuspended" : "suspended");
    const written = rig.github.writes.length;
    const asked: string[] = [];
    rig.onCall = (call) => void (call.startsWith("github.") ? asked.push(call) : null);
    await news(rig, is(false));
    expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", sleepReason: "paused", heldBy: [] });
    expect(rig.runtime.running.size).toBe(0);
    expect(await rig.store.records.slotsInUse()).toBe(0);
    expect(await decisionsOn(rig, 1)).toContain(state);
    expect(await decisionsOn(rig, 2)).toContain(state);
    asked.length = 0;
    const looks = async () => (await rig.store.effects.find({ kind: "recheck_blocker" })).length;
    const before = await looks();
    await rig.pass(HOUR);
    expect(await looks()).toBe(before);
    expect(await stateOf(rig)).toBe("SLEEPING");
    expect(asked).toEqual([]);
    expect(rig.github.writes).toHaveLength(written);
    await news(rig, is(true));
    expect(await stateOf(rig)).toBe("COMPLETED");
    expect(toldTo(rig)[1]).toContain("the pause is over");
    expect(statusComments(rig).at(-1)).toContain("COMPLETED");
  },
);

it("keeps a suspension that is over from lifting an archived repository", async () => {
  const rig = await atWork();
  await news(rig, installation(rig, "suspended"), changed(rig, "archived"), installation(rig, "unsuspended"));
  expect(await stateOf(rig)).toBe("SLEEPING");
  await news(rig, changed(rig, "unarchived"));
  expect(await stateOf(rig)).toBe("COMPLETED");
});

it.each(["removed", "uninstalled", "deleted"] as const)(
  "ends all agents where the repository is %s, keeps their work, and writes nothing",
  async (how) => {
    const rig = await atWork();
    const written = rig.github.writes.length;
    const dropped: (number | null)[] = [];
    rig.worktrees.dropSetups = async (repositoryId) => void dropped.push(repositoryId);
    await news(
      rig,
      how === "removed"
        ? covers(rig, { removed: true })
        : how === "deleted"
          ? changed(rig, "deleted")
          : installation(rig, "uninstalled"),
    );
    expect(await stateOf(rig)).toBe("CANCELLED");
    expect(await stateOf(rig, "feat-dev-issue-2")).toBe("CANCELLED");
    expect(dropped).toEqual([REPOSITORY.id]);
    expect(rig.runtime.running.size).toBe(0);
    expect(rig.github.writes).toHaveLength(written);
    expect((await taskOf(rig))?.state).toBe(how === "deleted" ? "ABANDONED" : "UNCLAIMED");
    const saved = await rig.store.effects.find({ kind: "close_session", state: "done" });
    expect(saved.at(-1)?.payload).toMatchObject({ checkpoint: true });
    expect(await decisionsOn(rig)).toContain(how === "deleted" ? "repository_deleted" : how);
    expect(await decisionsOn(rig)).not.toContain("effect_failed");
  },
);

it("follows the id of a repository that is renamed: the agent continues under the new name", async () => {
  const rig = await atWork({
    script: [on(1, slowly(MINUTE, edit()), commit, blocked(3)), on(2, blocked(3))],
  });
  await rig.engine.handle(changed(rig, "renamed", { name: "store" }));
  const named: unknown[] = [];
  const put = methodOf(rig.github, "putComment");
  rig.github.putComment = async (...args) => {
    named.push(args[0].name);
    return put(...args);
  };
  await rig.work(5 * MINUTE);
  await rig.idle();
  expect(await stateOf(rig)).toBe("SLEEPING");
  expect(new Set(named)).toEqual(new Set(["store"]));
  expect(await rig.store.repositories.byName("acme", "shop")).toBeUndefined();
  expect(await decisionsOn(rig)).toContain("renamed");
});

it("ends the work where the new name is not on the list of repositories", async () => {
  const rig = await atWork({ settings: { repositories: ["acme/shop"] } });
  const written = rig.github.writes.length;
  await news(rig, changed(rig, "renamed", { name: "store" }));
  expect(await stateOf(rig)).toBe("CANCELLED");
  expect((await agentOf(rig)).reason).toContain("acme/store, which is not on the list");
  expect(await decisionsOn(rig)).toContain("not_listed");
  expect(rig.github.writes).toHaveLength(written);
});

it("stops work where the repository is made public, and continues when it is private again", async () => {
  const rig = await atWork();
  await news(rig, changed(rig, "publicized", { private: false }));
  expect(await stateOf(rig)).toBe("SLEEPING");
  expect(await decisionsOn(rig)).toContain("public_unconfined");
  await news(rig, changed(rig, "privatized"));
  expect(await stateOf(rig)).toBe("COMPLETED");
});

it("continues in a repository that is made public where agents are confined, and begins in a public one", async () => {
  const rig = await atWork({
    script: [on(1, slowly(MINUTE, edit()), commit, blocked(3)), on(2, blocked(3))],
    settings: { sandbox: CONFINED },
  });
  await rig.engine.handle(changed(rig, "publicized", { private: false }));
  await rig.work(5 * MINUTE);
  await rig.idle();
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", sleepReason: "blocked" });
  expect(await decisionsOn(rig)).toContain("publicized");
  rig.repository.private = false;
  await tell(rig, labeled(rig, 3));
  expect(await decisionsOn(rig, 3)).not.toContain("public_unconfined");
  expect(await rig.store.records.find("agent", { issue: 3 })).toHaveLength(1);
});

it("offers labelled open issues of a repository that the App has come to, once each, and starts none", async () => {
  const rig = await aRig({ issues: 2 });
  const issueOf = (number: number) => rig.repository.issues.get(number);
  Object.assign(issueOf(2) ?? {}, { labels: ["feature"] });
  const arrived = covers(rig, { added: true });
  await news(rig, arrived, arrived);
  expect(await rig.store.records.find("agent", {})).toEqual([]);
  expect(commentsOn(rig, 2)).toEqual([]);
  expect(statusComments(rig, 2)).toHaveLength(1);
  expect(statusComments(rig, 2)[0]).toContain("`/flotilla start feat-dev`");
  expect(statusComments(rig, 1)).toEqual([]);
  expect(await decisionsOn(rig, 2)).toEqual(["offered"]);
});

it("tells the newest twenty labelled issues, and logs the others", async () => {
  const rig = await aRig({ issues: 0 });
  for (let number = 1; number <= 22; number += 1)
    addIssue(rig.repository, { title: "Old", body: "", author: person("alice"), labels: ["feature"] });
  await news(rig, covers(rig, { added: true }));
  const told = [...rig.repository.comments.values()].filter((comments) => comments.length > 0);
  expect(told).toHaveLength(20);
  expect(statusComments(rig, 2)).toEqual([]);
  expect(statusComments(rig, 3)).toHaveLength(1);
});

it("neither offers nor remembers what the configuration does not list, and offers nothing in an archive", async () => {
  const unlisted = await aRig({ settings: { repositories: ["other/*"] } });
  await news(unlisted, covers(unlisted, { added: true }));
  expect(await unlisted.store.repositories.get(REPOSITORY.id)).toBeUndefined();
  const archived = await aRig();
  Object.assign(archived.repository, { archived: true });
  Object.assign(archived.repository.issues.get(1) ?? {}, { labels: ["feature"] });
  await news(archived, covers(archived, { added: true }));
  expect(await decisionsOn(archived, 1)).toEqual([]);
});
