import { expect, it } from "vitest";
import { commentsOn } from "../look.ts";
import { edited, issueOf, labeled, said, tell } from "../people.ts";
import { aRig } from "../rig.ts";

it("a goal is called as its tracking issue is now, once somebody who may steer has edited that", async () => {
  const rig = await aRig();
  await tell(rig, labeled(rig, 3, { label: "goal" }));
  const titles = async () => (await rig.store.records.find("goal", {})).map(({ title }) => title);
  issueOf(rig, 3).title = "Nights";
  await tell(rig, edited(rig, 3, "Do 3.", { by: "eve" }));
  expect(await titles()).toEqual(["Feature 3"]);
  await tell(rig, edited(rig, 3, "Do 3, at night."));
  expect(await titles()).toEqual(["Nights"]);
  await tell(rig, said(rig, 3, "/flotilla why"));
  expect(commentsOn(rig, 3).at(-1)).toContain('the goal "Nights" of #3 is IN_PROGRESS');
});
