import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { PLACEHOLDER_KEY } from "../../../../src/adapters/runtimes/gateway/model-gateway.ts";
import { markedProcesses } from "../../../../src/adapters/sandbox/marked-processes.ts";
import { createUnconfinedRunner } from "../../../../src/adapters/sandbox/none.ts";
import type { Clock } from "../../../../src/domain/ports/clock.ts";
import type { Runner } from "../../../../src/domain/ports/runner.ts";
import { createRig, longMs } from "../../../contracts/agent-runtime-rig.ts";
import { filesWith } from "../../../journeys/files-with.ts";
import { proved } from "../../../proved.ts";
import { confinedRunner, describeConfined } from "../../sandbox/bubblewrap-here.ts";
import { startCopilot } from "./copilot-harness.ts";
import { timesInMemory } from "./memory-of.ts";

/** Looks where the key could be while a session is open whose processes the runner has started. */
async function lookForTheKey(
  runner: (clock: Clock) => Runner,
  onTestFinished: (end: () => Promise<void>) => void,
): Promise<{ readonly leaks: number; readonly figure: string }> {
  const steps = [{ call: [{ tool: "note" }] }, { say: "Done." }];
  const harness = await startCopilot({ conversations: [{ match: "", steps }] }, { runner });
  const rig = createRig(harness);
  onTestFinished(rig.close);
  const { session, spec } = await rig.open();
  await session.exchange("do the work", { deadlineMs: longMs });
  const key = spec.provider?.apiKey ?? "";
  expect(harness.modelRequests.map(({ authorization }) => authorization)).toEqual(
    harness.modelRequests.map(() => `Bearer ${key}`),
  );
  const pids = await markedProcesses([spec.sessionId]);
  const counted = (text: string) =>
    pids.map((pid) => timesInMemory(pid, text)).reduce((sum, one) => sum + one, 0);
  // What stands in its place is found, so the search finds.
  expect(counted(PLACEHOLDER_KEY)).toBeGreaterThan(0);
  const leaks =
    counted(key) +
    filesWith([spec.baseDirectory], [key]).length +
    pids.filter((pid) => readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(key)).length;
  const calls = harness.modelRequests.length;
  return { leaks, figure: `${leaks} found in ${pids.length} processes, ${calls} calls with the key` };
}

test("the provider's key is in no memory, argument, environment or file of an agent, though the provider gets it", async ({
  onTestFinished,
}) => {
  const { leaks, figure } = await lookForTheKey(createUnconfinedRunner, onTestFinished);
  expect(leaks).toBe(0);
  proved({
    promise:
      "The provider's key never enters an agent's process: not its memory, arguments, environment or files.",
    test: "test/adapters/runtimes/copilot/provider-key.test.ts",
    figure,
  });
}, 60_000);

describeConfined("an agent in the sandbox", () => {
  test("has the provider's key nowhere either, and its calls have it", async ({ onTestFinished }) => {
    const { leaks, figure } = await lookForTheKey(confinedRunner, onTestFinished);
    expect(leaks).toBe(0);
    proved({
      promise: "The provider's key never enters the sandbox.",
      test: "test/adapters/runtimes/copilot/provider-key.test.ts",
      figure,
    });
  }, 60_000);
});
