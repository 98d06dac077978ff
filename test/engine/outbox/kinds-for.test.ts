import { expect, it } from "vitest";
import { AT_ITS_NODE } from "../../../src/domain/kernel/effect.ts";
import { ALL_ROLES } from "../../../src/domain/recovery/node-roles.ts";
import { CATALOG, kindsFor } from "../../../src/engine/outbox/effect-catalog.ts";

it("a runner carries out what is at the agent's node, a controller everything else, others nothing", () => {
  const runner = kindsFor(new Set(["runner", "web"]));
  const controller = kindsFor(new Set(["controller"]));
  expect(runner?.toSorted()).toEqual(AT_ITS_NODE.toSorted());
  expect([...(runner ?? []), ...(controller ?? [])].toSorted()).toEqual(Object.keys(CATALOG).toSorted());
  expect(kindsFor(new Set(["intake", "web"]))).toEqual([]);
  expect(kindsFor(ALL_ROLES)).toBeUndefined();
});
