import { expect, it } from "vitest";
import { aRepository } from "../../factories/an-occurrence.ts";
import { HOUR, MINUTE } from "../../factories/moment.ts";
import { person } from "../../fakes/github-world.ts";
import { asked, questionOf, ticked } from "../asking.ts";
import { agentOf } from "../look.ts";
import { labeled, said, tell } from "../people.ts";
import { aRig, REPOSITORY, type Rig } from "../rig.ts";
import { edit, escalate, on, slowly, work } from "../scripts.ts";

const KEY = "acme/shop:feat-dev-issue-1";

/** What people did, in the order of the alphabet, since much happens in one millisecond: who, what, where. */
async function actsOf({ store }: Rig): Promise<readonly string[]> {
  const wanted = { kind: null, by: null, repositories: null };
  const found = await store.lists.personsActs(wanted, { after: null, limit: 100 });
  return found
    .map(({ row }) => `${row.by} ${row.what}${row.agent === null ? "" : " it"} (${row.via ?? "?"})`)
    .toSorted();
}

it.each([
  ["a reply", (rig: Rig) => tell(rig, said(rig, 1, "2", { by: "bob" })), "github"],
  ["a ticked box", async (rig: Rig) => tell(rig, await ticked(rig, [2], "bob")), "github"],
  ["a command", (rig: Rig) => tell(rig, said(rig, 1, "/flotilla answer 2", { by: "bob" })), "github"],
  [
    "the page",
    async (rig: Rig) => {
      const { id } = await questionOf(rig);
      await rig.engine.operations.answerQuestion({ question: id, text: "2", id: "click", by: "bob" });
      await rig.idle();
    },
    "dashboard",
  ],
] as const)("keeps an answer by %s once, with where it was given", async (_, answers, via) => {
  const rig = await asked();
  await answers(rig);
  expect(await actsOf(rig)).toEqual(["alice started it (github)", `bob answered a question of it (${via})`]);
});

it("keeps what people say to an agent that called them, or that works, and who declares its work complete", async () => {
  const rig = await aRig({
    issues: 2,
    script: [on(1, escalate, edit(), escalate), on(2, slowly(HOUR, edit()))],
  });
  await tell(rig, labeled(rig, 1));
  await tell(rig, said(rig, 1, "The MIT licence, please.", { by: "bob" }));
  expect((await agentOf(rig)).state).toBe("ESCALATED");
  const act = { agent: KEY, by: "operator:ops", reason: null };
  await rig.engine.operations.resume({ ...act, id: "r", rounds: null });
  await rig.idle();
  await rig.engine.handle(labeled(rig, 2));
  await rig.until("it talks", () => rig.runtime.running.size > 0);
  await rig.engine.operations.send({
    agent: "acme/shop:feat-dev-issue-2",
    id: "m",
    text: "Hurry.",
    by: "carol",
  });
  await rig.engine.operations.pause({ ...act, agent: "acme/shop:feat-dev-issue-2", id: "p" });
  await rig.engine.operations.complete({ ...act, agent: "acme/shop:feat-dev-issue-2", id: "c" });
  await rig.idle();
  expect(await actsOf(rig)).toEqual([
    "alice started it (github)",
    "alice started it (github)",
    "bob answered what was asked by it (github)",
    "carol wrote to it (dashboard)",
    "operator:ops declared complete the work of it (command line)",
    "operator:ops let continue it (command line)",
    "operator:ops paused it (command line)",
  ]);
});

it("keeps each pause of a repository and of everything, and what people do to it on GitHub", async () => {
  const rig = await aRig({ script: [on(1, slowly(HOUR, edit()))] });
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("it talks", () => rig.runtime.running.size > 0);
  const { operations } = rig.engine;
  const scope = `repository:${REPOSITORY.id}` as const;
  for (const id of ["1", "2"]) {
    await operations.pauseScope({ scope, by: "bob", reason: "release day", id: `p${id}` });
    await operations.pauseScope({ scope, by: "carol", reason: null, id: `again${id}` });
    await operations.resumeScope({ scope, by: "operator:dashboard", id: `r${id}` });
  }
  await operations.pauseScope({ scope: "all", by: "operator:ops", reason: null });
  for (const change of ["archived", "unarchived", "renamed"] as const)
    await rig.engine.handle({
      type: "repository_changed",
      delivery: change,
      at: rig.clock.now(),
      actor: person("dave"),
      repository: aRepository(),
      change,
      was: null,
    });
  const resumed = "operator:dashboard resumed all agents of (dashboard)";
  expect(await actsOf(rig)).toEqual([
    "alice started it (github)",
    "bob paused all agents of (dashboard)",
    "bob paused all agents of (dashboard)",
    "dave paused all agents of (github)",
    "dave resumed all agents of (github)",
    resumed,
    resumed,
    "operator:ops paused all agents of (command line)",
  ]);
  const paused = { kind: "pause", by: null, repositories: [REPOSITORY.id] } as const;
  const rows = await rig.store.lists.personsActs(paused, { after: null, limit: 9 });
  expect(rows.map(({ row }) => [row.by, row.detail])).toEqual([
    ["dave", expect.stringContaining("archived: acme/shop")],
    ["bob", "release day"],
    ["bob", "release day"],
  ]);
});

it("takes nobody for Flotilla or an agent, whatever their login is", async () => {
  const rig = await aRig({ issues: 2, script: [on(1, ...work), on(2, slowly(30 * MINUTE, edit()))] });
  for (const by of ["flotilla", "agent"]) rig.repository.permissions.set(by, "write");
  await tell(rig, labeled(rig, 1, { by: "agent" }));
  await rig.engine.handle(labeled(rig, 2, { by: "flotilla" }));
  await rig.until("it talks", () => rig.runtime.running.size > 0);
  await tell(rig, said(rig, 2, "/flotilla pause", { by: "flotilla" }));
  expect(await actsOf(rig)).toEqual([
    "agent started it (github)",
    "flotilla paused it (github)",
    "flotilla started it (github)",
  ]);
  const wanted = { kind: null, by: "flotilla", repositories: null };
  expect(await rig.store.lists.personsActs(wanted, { after: null, limit: 9 })).toHaveLength(2);
});
