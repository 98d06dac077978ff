import { AsyncLocalStorage } from "node:async_hooks";
import { expect, it } from "vitest";
import { labeled, tell } from "../people.ts";
import { aRig } from "../rig.ts";
import { on, work } from "../scripts.ts";

it("names each act for the log: its key, its issue, and the agent and run that it is for", async () => {
  const rig = await aRig({ script: [on(1, ...work)] });
  await tell(rig, labeled(rig, 1));
  const [run] = await rig.store.records.find("run", {});
  const opened = rig.life.named.find(({ effect }) => effect?.endsWith(":open_session"));
  expect(opened).toMatchObject({ repository: 7, issue: 1, agent: "feat-dev-issue-1", run: run?.id });
  const comment = rig.life.named.find(({ effect }) => effect?.endsWith(":status_comment"));
  expect(comment).toMatchObject({ repository: 7, issue: 1 });
  const effects = new Set(rig.life.named.map(({ effect }) => effect));
  expect(effects.size).toBe((await rig.store.effects.find({})).length);
});

it("does in a round nothing in the name of what asked for the round", async () => {
  const asking = new AsyncLocalStorage<string>();
  const seen: (string | undefined)[] = [];
  const rig = await aRig({
    script: [on(1, ...work)],
    wrapped: (given) => ({
      ...given,
      within: (_, act) => {
        seen.push(asking.getStore());
        return act();
      },
    }),
  });
  await asking.run("a delivery", () => rig.engine.handle(labeled(rig, 1)));
  await rig.until("an act began", () => seen.length > 0);
  expect(seen[0]).toBeUndefined();
});
