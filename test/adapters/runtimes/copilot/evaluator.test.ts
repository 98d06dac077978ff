import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { builtinToolsFor } from "../../../../src/adapters/runtimes/copilot/builtin-tools.ts";
import { stateDirectory } from "../../../../src/adapters/runtimes/copilot/conversation.ts";
import { markedProcesses } from "../../../../src/adapters/sandbox/marked-processes.ts";
import type { Clock } from "../../../../src/domain/ports/clock.ts";
import { asked, evaluations, evaluatorRole, isEvaluator, submits } from "../../../engine/evaluating.ts";
import { agentOf, stateOf } from "../../../engine/look.ts";
import { methodOf } from "../../../engine/method-of.ts";
import { labeled, tell } from "../../../engine/people.ts";
import { aRig, type Rig } from "../../../engine/rig.ts";
import { call, on, type Step, slowly, work } from "../../../engine/scripts.ts";
import { aRole } from "../../../factories/a-role.ts";
import { rolesOf, someSettings } from "../../../factories/some-settings.ts";
import { realClock } from "../real-harness.ts";
import { startCopilot } from "./copilot-harness.ts";

/** No other time limit is as long. */
const TIMEOUT_MS = 654_321;

/**
 * A rig whose evaluator is the real runtime's, in a real directory; its coder is not. With `over` its time is over as
 * soon as the model has been asked.
 */
async function realEvaluator(
  steps: readonly Step[],
  over = false,
): Promise<{
  rig: Rig;
  /** Names of the tools that the model was offered, by request. */
  offered: () => readonly (readonly string[])[];
  left: () => Promise<{ processes: readonly number[]; conversation: boolean }>;
}> {
  let asks = 0;
  const clock: Clock = {
    ...realClock,
    after(ms, fn) {
      if (ms !== TIMEOUT_MS) return realClock.after(ms, fn);
      asks += 1;
      void harness.requested(asks).then(fn);
      return () => undefined;
    },
  };
  const harness = await startCopilot({ conversations: [asked("", ...steps)] }, over ? { clock } : {});
  onTestFinished(() => harness.close());
  const { workingDirectory, baseDirectory, provider } = harness.place;
  await mkdir(workingDirectory, { recursive: true });
  await writeFile(join(workingDirectory, "feature.ts"), "export const claimed = 1;");
  const rig = await aRig({
    script: [on(1, ...work)],
    ...(provider === undefined ? {} : { provider }),
    settings: {
      roles: rolesOf(aRole(), evaluatorRole),
      evidence: { ...someSettings().evidence, timeoutMs: TIMEOUT_MS },
    },
  });
  rig.worktrees.checkout = () =>
    Promise.resolve({ path: workingDirectory, home: `${workingDirectory}-home` });
  const open = methodOf(rig.runtime, "open");
  const destroy = methodOf(rig.runtime, "destroy");
  let id = "";
  rig.runtime.open = (spec) => {
    if (!isEvaluator(spec.sessionId)) return open(spec);
    id = spec.sessionId;
    return harness.runtime.open({ ...spec, baseDirectory });
  };
  rig.runtime.destroy = (place) =>
    isEvaluator(place.sessionId) ? harness.runtime.destroy({ ...place, baseDirectory }) : destroy(place);
  return {
    rig,
    offered: () => harness.modelRequests.map(({ tools }) => tools),
    left: async () => ({
      processes: await markedProcesses([`${id}@${baseDirectory}`]),
      conversation: existsSync(join(stateDirectory({ baseDirectory }), id)),
    }),
  };
}

it("an evaluator reads the claimed commit through the real runtime, answers, and leaves nothing behind", async () => {
  const reads = call("view", { path: "{{cwd}}/feature.ts" });
  const { rig, offered, left } = await realEvaluator([reads, submits(90), submits(0.9, "It is there.")]);
  await tell(rig, labeled(rig, 1));
  expect(await stateOf(rig)).toBe("COMPLETED");
  expect(await evaluations(rig)).toEqual([[0.9, true, "It is there."]]);
  const calls = await rig.store.toolCalls.ofAgent((await agentOf(rig)).id);
  expect(calls.slice(-3)).toMatchObject([
    { tool: "view", status: "success", output: expect.stringContaining("export const claimed = 1;") },
    { tool: "submit_evaluation", status: "failure" },
    { tool: "submit_evaluation", status: "success" },
  ]);
  expect(offered()[0]).toEqual(expect.arrayContaining(["view", "read_issue", "submit_evaluation"]));
  const changing = [...builtinToolsFor(["edit", "shell"]), "commit", "report_complete"];
  expect(offered()[0]?.filter((name) => changing.includes(name))).toEqual([]);
  expect(await left()).toEqual({ processes: [], conversation: false });
});

it("an evaluator that takes too long is ended with its process, each time that it is asked", async () => {
  const { rig, offered, left } = await realEvaluator([slowly(60_000, submits(0.9))], true);
  await tell(rig, labeled(rig, 1));
  expect(await agentOf(rig)).toMatchObject({ state: "ESCALATED", category: "evaluator" });
  expect(offered()).toHaveLength(2);
  expect(await left()).toEqual({ processes: [], conversation: false });
});
