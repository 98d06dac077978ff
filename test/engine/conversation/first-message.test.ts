import { expect, it } from "vitest";
import { someSettings } from "../../factories/some-settings.ts";
import { toldTo } from "../look.ts";
import { labeled, tell } from "../people.ts";
import { aRig } from "../rig.ts";
import { on, work } from "../scripts.ts";

const { setup, evidence, roles } = someSettings();
const settings = {
  setup: { ...setup, commands: ["npm ci"] },
  evidence: { ...evidence, commands: ["npm test"] },
};

it("tells a coder which commands prepared its worktree, and which will check its work", async () => {
  const rig = await aRig({ script: [on(1, ...work)], settings });
  await tell(rig, labeled(rig, 1));
  expect(toldTo(rig)[0]).toContain("These commands have prepared your working directory: `npm ci`.");
  expect(toldTo(rig)[0]).toContain("and they must succeed: `npm test`.");
});

it("tells another role nothing of checks that its work does not need to pass", async () => {
  const others = new Map([...roles].map(([name, role]) => [name, { ...role, evidence: "none" as const }]));
  const rig = await aRig({ script: [on(1, ...work)], settings: { ...settings, roles: others } });
  await tell(rig, labeled(rig, 1));
  expect(toldTo(rig)[0]).toContain("Work on issue #1 of");
  expect(toldTo(rig)[0]).not.toContain("npm test");
});
