import { expect, it } from "vitest";
import { LEASE_MS } from "../../../src/domain/recovery/node.ts";
import { aNode } from "../../factories/a-node.ts";
import { someSettings } from "../../factories/some-settings.ts";
import { agentOf, decisionsOn, stateOf } from "../look.ts";
import { labeled, tell } from "../people.ts";
import { OTHER, seconds, tick, twoNodes } from "../recovery/two-nodes.ts";
import type { Rig, RigOptions } from "../rig.ts";
import { edit, on, slowly, work } from "../scripts.ts";
import { NODE } from "../without-delimiters.ts";

const HOUR = 3_600_000;
const slow = [1, 2, 3].map((issue) => on(issue, slowly(HOUR, edit())));
const CONTROLLER = { roles: ["intake", "controller", "web"] } as const;
const RUNNER = { roles: ["runner"] } as const;

const nodesOf = async (rig: Rig) =>
  (await rig.store.records.find("agent", { state: "ACTIVE" })).map(({ node }) => node).toSorted();

it("a controller starts an agent on a runner, which does its work; the controller writes on GitHub", async () => {
  const { one, two } = await twoNodes(CONTROLLER, { ...RUNNER, script: [on(1, ...work)] });
  await seconds(8, one, two);
  await one.engine.handle(labeled(one, 1));
  expect(await agentOf(one)).toMatchObject({ state: "ACTIVE", node: OTHER });
  await two.until("it is done", async () => {
    for (const rig of [one, two]) {
      await tick(rig);
      await rig.idle();
    }
    return (await stateOf(one)) === "COMPLETED";
  });
  const effects = await one.store.effects.find({});
  expect(effects.filter(({ state }) => state === "failed")).toEqual([]);
  expect(one.runtime.requests).toEqual([]);
});

it("without a runner an agent waits, and the reason names what to do; it starts once there is one", async () => {
  const { one, two } = await twoNodes(CONTROLLER, { roles: ["web"] });
  await tell(one, labeled(one, 1));
  await tick(two);
  expect(await stateOf(one)).toBe("CREATED");
  const [decision] = await one.store.decisions.ofIssue((await agentOf(one)).repositoryId, 1, 1);
  expect(decision).toMatchObject({ rule: "room", reason: "no machine runs agents" });
});

it("of several runners the one with the fewest agents gets the next", async () => {
  const { one, two } = await twoNodes({ script: slow }, { ...RUNNER, script: slow });
  await seconds(8, one, two);
  for (const issue of [1, 2, 3]) await one.engine.handle(labeled(one, issue));
  expect(await nodesOf(one)).toEqual([NODE, NODE, OTHER].toSorted());
});

it("an agent goes where its memory fits", async () => {
  const { sandbox } = someSettings();
  const GIB = 1024 ** 3;
  const options: RigOptions = {
    settings: { sandbox: { ...sandbox, memoryBytes: 5 * GIB, hostMemoryBytes: GIB } },
    script: slow,
    // Each machine has room for one.
    wrapped: (given) => ({ ...given, memoryBytes: 7 * GIB }),
  };
  const { one, two } = await twoNodes(options, { ...RUNNER, ...options });
  await seconds(8, one, two);
  for (const issue of [1, 2, 3]) await one.engine.handle(labeled(one, issue));
  expect(await nodesOf(one)).toEqual([NODE, OTHER].toSorted());
  expect(await decisionsOn(one, 3)).toContain("room");
});

it("a machine that has become a controller alone is no home any more", async () => {
  const { one, two } = await twoNodes({ script: slow }, { ...RUNNER, script: [on(1, ...work)] });
  await one.engine.handle(labeled(one, 1));
  await one.until("it talks", () => one.runtime.requests.length === 1);
  one.life.end();
  await one.store.nodes.begin({ ...aNode(NODE, { roles: ["controller"] }), now: one.clock.now() });
  await seconds(LEASE_MS / 1000, two);
  expect(two.context.nodes.isElsewhere(await agentOf(two))).toBe(false);
});
