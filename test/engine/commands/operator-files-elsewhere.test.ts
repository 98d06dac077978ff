import { expect, it } from "vitest";
import { OTHER, tick, twoNodes } from "../recovery/two-nodes.ts";
import { createRig, type Rig } from "../rig.ts";
import { NODE } from "../without-delimiters.ts";
import { look, sprints, twoSprints } from "./sprints-at-work.ts";

const reasons = async ({ store }: Rig) => (await store.scopePauses.list()).map(({ reason }) => reason);

it("a node without the file, such as one that starts, lifts no pause by the file of another one", async () => {
  const { one, two } = await twoNodes();
  one.operatorFiles.create("PAUSE");
  await tick(one);
  expect(await reasons(two)).toEqual([`the file PAUSE on ${NODE}`]);
  await tick(two);
  await two.restart();
  await tick(two);
  expect(await reasons(two)).toHaveLength(1);
  one.operatorFiles.remove("PAUSE");
  await tick(one);
  expect(await reasons(two)).toEqual([]);
});

it("agents are held until the files of both nodes are gone", async () => {
  const { one, two } = await twoNodes();
  one.operatorFiles.create("PAUSE");
  await tick(one);
  two.operatorFiles.create("PAUSE");
  await tick(two);
  one.operatorFiles.remove("PAUSE");
  await tick(one);
  await tick(two);
  expect(await reasons(one)).toEqual([`the file PAUSE on ${OTHER}`]);
  await tick(one);
  two.operatorFiles.remove("PAUSE");
  await tick(two);
  expect(await reasons(one)).toEqual([]);
});

it("a sprint that the file of one node has stopped is continued by that node alone", async () => {
  const one = await twoSprints({ alone: false });
  const two = await createRig({ beside: { rig: one, node: OTHER } });
  one.operatorFiles.create("CHECKPOINT");
  await look(one);
  await tick(two);
  await tick(two);
  expect(await sprints(one)).toEqual(["CHECKPOINT", "CHECKPOINT"]);
  one.operatorFiles.remove("CHECKPOINT");
  await look(one);
  expect(await sprints(one)).toEqual(["IN_PROGRESS", "IN_PROGRESS"]);
});
