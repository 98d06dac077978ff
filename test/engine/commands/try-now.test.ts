import { expect, it } from "vitest";
import { GitError } from "../../../src/domain/kernel/errors.ts";
import { HOUR, MINUTE } from "../../factories/moment.ts";
import { agentOf, runOf, stateOf } from "../look.ts";
import { methodOf } from "../method-of.ts";
import { labeled, said, tell } from "../people.ts";
import { aRig, type Rig } from "../rig.ts";
import { blocked, on, work } from "../scripts.ts";

const KEY = (issue: number) => `acme/shop:feat-dev-issue-${issue}`;
const nameOf = (issue: number) => `feat-dev-issue-${issue}`;
let acts = 0;
const act = (issue: number) => ({
  agent: KEY(issue),
  id: `act-${(acts += 1)}`,
  by: "operator:root",
  reason: null,
});

/** Agents whose start git does not serve, and that have tried so often that the next try is 10 minutes away. */
async function inError(
  issues: readonly number[],
): Promise<{ rig: Rig; back: () => void; tries: () => number }> {
  const rig = await aRig({ issues: 5, script: [1, 2, 3, 4, 5].map((issue) => on(issue, ...work)) });
  const prepare = methodOf(rig.worktrees, "prepare");
  let tries = 0;
  rig.worktrees.prepare = async () => {
    tries += 1;
    throw new GitError("network", "could not fetch acme/shop: 503", { consequence: "retry" });
  };
  for (const issue of issues) await tell(rig, labeled(rig, issue));
  for (let minute = 0; minute < 60; minute += 5) await rig.pass(5 * MINUTE);
  return { rig, back: () => void (rig.worktrees.prepare = prepare), tries: () => tries };
}

it.each(["retry", "resume"])("tries at once when a person says /flotilla %s", async (verb) => {
  const { rig, back } = await inError([1]);
  expect(await runOf(rig)).toMatchObject({ state: "error" });
  back();
  await tell(rig, said(rig, 1, `/flotilla ${verb}`));
  expect(await stateOf(rig)).toBe("COMPLETED");
});

it.each(["retry", "resume"] as const)("tries at once when the operator says %s", async (verb) => {
  const { rig, back } = await inError([1]);
  back();
  await rig.engine.operations[verb](act(1));
  await rig.idle();
  expect(await stateOf(rig)).toBe("COMPLETED");
});

it("continues waiting after a try by a person's word that fails, and tries once for it", async () => {
  const { rig, tries } = await inError([1]);
  const before = tries();
  await tell(rig, said(rig, 1, "/flotilla retry"));
  await rig.pass(1000);
  expect(tries()).toBe(before + 1);
  expect(await agentOf(rig)).toMatchObject({
    state: "SLEEPING",
    sleepReason: "retry",
    wakes: 0,
    restarts: 0,
  });
});

it.each(["retry", "resume"])(
  "asks a model provider that is given a pause when a person says %s",
  async (verb) => {
    const rig = await aRig({ script: [on(1, ...work)] });
    const open = rig.runtime.open.bind(rig.runtime);
    rig.runtime.open = async (spec) => ({
      ...(await open(spec)),
      exchange: () => {
        rig.runtime.open = open;
        return Promise.resolve({
          kind: "model_error",
          reason: "quota",
          consequence: "park",
          status: 402,
          retryAfterMs: HOUR,
          detail: "No credit is left.",
        });
      },
    });
    await tell(rig, labeled(rig, 1));
    expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", sleepReason: "provider_limit" });
    const { dueAt } = await agentOf(rig);
    await tell(rig, said(rig, 1, `/flotilla ${verb}`));
    expect(await stateOf(rig)).toBe("COMPLETED");
    expect(rig.clock.now()).toBeLessThan(dueAt ?? 0);
  },
);

it("sends the one that a person names out first while an incident holds it", async () => {
  const { rig, back } = await inError([1, 2, 3]);
  const [incident] = await rig.store.incidents.list();
  expect(incident?.state).toBe("open");
  // Also while another one is out.
  await rig.store.incidents.set(incident?.id ?? 0, { probeAgentId: 1, probeSince: rig.clock.now() });
  back();
  await rig.engine.handle(said(rig, 2, "/flotilla retry"));
  expect(await rig.store.incidents.list()).toMatchObject([{ probeAgentId: 2 }]);
  await rig.idle();
  await rig.pass(1000);
  expect(await stateOf(rig, nameOf(2))).toBe("COMPLETED");
  await rig.pass(1000);
  expect(await rig.store.incidents.list()).toMatchObject([{ state: "closed" }]);
  await rig.pass(10 * MINUTE);
  for (const issue of [1, 3]) expect(await stateOf(rig, nameOf(issue))).toBe("COMPLETED");
});

it("begins afresh by the operator's retry what has ended, and refuses it for one that continues", async () => {
  const rig = await aRig({ script: [on(1, blocked(2)), on(1, ...work)] });
  await tell(rig, labeled(rig, 1));
  await expect(rig.engine.operations.retry(act(1))).rejects.toMatchObject({ code: "invalid_state" });
  await rig.engine.operations.kill(act(1));
  expect(await rig.engine.operations.retry(act(1))).toMatchObject({ name: "feat-dev-issue-1.2" });
});

it("says what holds one that it cannot try", async () => {
  const { rig } = await inError([1]);
  await rig.engine.operations.pauseScope({ scope: "repository:7", by: "operator:root", reason: "a freeze" });
  await expect(rig.engine.operations.retry(act(1))).rejects.toMatchObject({ code: "held" });
});
