import { expect, it } from "vitest";
import { GitHubError } from "../../../src/domain/kernel/errors.ts";
import { MINUTE } from "../../factories/moment.ts";
import { killOnce, silent } from "../kill-once.ts";
import { agentOf, commentsOn, stateOf } from "../look.ts";
import { labeled, tell } from "../people.ts";
import { aRig, OUR_SECRET, type Rig } from "../rig.ts";
import { on, work } from "../scripts.ts";

/** The agent as it sleeps and the comments, after each of four tries that met this error. */
async function triedFourTimes(error: Error): Promise<{ rig: Rig; details: readonly string[] }> {
  const rig = await aRig({ script: [on(1, ...work)] });
  rig.worktrees.inspect = async () => {
    throw error;
  };
  await tell(rig, labeled(rig, 1));
  for (const seconds of [5, 10, 20]) {
    expect(await stateOf(rig)).toBe("SLEEPING");
    await rig.pass(seconds * 1000);
  }
  const details = (await rig.store.transitions.ofAgent(1))
    .filter(({ machine, to }) => machine === "agent" && to === "SLEEPING")
    .map(({ reason }) => reason ?? "");
  return { rig, details };
}

it("counts an error of ours while it drives an agent like a crash, and says that it was one of ours", async () => {
  const { rig, details } = await triedFourTimes(
    new TypeError(`Cannot read properties of undefined (reading 'protection') ${OUR_SECRET}`),
  );
  const met =
    "Flotilla met an error while it drove the agent: TypeError: Cannot read properties of undefined";
  expect(details).toEqual(Array.from({ length: 3 }, () => expect.stringContaining(met)));
  expect(await agentOf(rig)).toMatchObject({
    state: "FAILED",
    reason: expect.stringContaining(`4 tries in a row failed; the last time ${met}`),
  });
  const shown = `${commentsOn(rig).join()} ${details.join()} ${(await agentOf(rig)).reason}`;
  expect(shown).not.toMatch(/process died/);
  expect(shown).not.toContain(OUR_SECRET);
  expect(rig.logged.map(({ message }) => message)).toContain("agent's driver failed");
});

it("says of an error of GitHub's that does not pass which one it is, and what to do", async () => {
  const { rig } = await triedFourTimes(
    new GitHubError("forbidden", "Resource not accessible by integration", 403, {
      consequence: "tell",
      advice: "Give the App the right.",
    }),
  );
  const { reason } = await agentOf(rig);
  expect(reason).toContain("GitHubError: Resource not accessible by integration");
  expect(reason).toContain("Give the App the right.");
  expect(reason).not.toContain("process");
});

it("names the last cause of several", async () => {
  const rig = await aRig({ script: [silent] });
  await rig.engine.handle(labeled(rig, 1));
  for (const seconds of [5, 10, 20]) {
    await killOnce(rig);
    rig.clock.advance(seconds * 1000);
  }
  const outage = new TypeError("fetch failed", { cause: new Error("connect ECONNREFUSED") });
  rig.runtime.open = async () => {
    throw outage;
  };
  await rig.engine.tick();
  await rig.idle();
  for (let tries = 0; tries < 5; tries += 1) await rig.pass(5 * MINUTE);
  const { state, reason } = await agentOf(rig);
  expect(state).toBe("FAILED");
  expect(reason).toBe(
    "4 tries in a row failed; the last time opening the agent's session failed: TypeError: fetch failed (connect ECONNREFUSED)",
  );
});
