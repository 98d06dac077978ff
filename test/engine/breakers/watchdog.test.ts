import { expect, it } from "vitest";
import { insertAgent } from "../../adapters/store/samples.ts";
import { HOUR } from "../../factories/moment.ts";
import { limitsOf } from "../limits-of.ts";
import { aRig, REPOSITORY } from "../rig.ts";

it("warns thousands of sleepers a part in each round, each once, and begins again behind the last", async () => {
  const rig = await aRig({ settings: limitsOf({ maxSleepDurationMs: 100 * HOUR }), script: [] });
  const since = rig.clock.now() - 90 * HOUR;
  const names = Array.from({ length: 250 }, (_, index) => `feat-dev-issue-${index + 10}`);
  for (const [index, name] of names.entries())
    await insertAgent(rig.store, {
      repositoryId: REPOSITORY.id,
      name,
      issue: index + 10,
      state: "SLEEPING",
      sleepReason: "blocked",
      sleepingSince: since,
    });
  const warned = async () =>
    (await rig.store.records.find("agent", {})).filter((agent) => agent.warned.length > 0).length;
  for (const count of [100, 200, 250, 250]) {
    await rig.engine.tick();
    expect(await warned()).toBe(count);
  }
  const lines = rig.logged.filter(({ message }) => message === "an agent comes near a limit");
  expect(lines).toHaveLength(250);
});
