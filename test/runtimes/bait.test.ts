import { expect, test } from "vitest";
import { layBait, takenBait } from "../../src/cli/runtimes/bait.ts";
import { createRig } from "../contracts/agent-runtime-rig.ts";
import { testedPresets } from "./install-agents.ts";
import { startAgent } from "./start-agent.ts";

const PLUGIN = ".opencode+plugin+bait.js";

test.for(testedPresets())(
  "$name starts nothing that a repository brings along, but what it says",
  { timeout: 180_000 },
  async (preset, { onTestFinished }) => {
    const steps = [
      { call: [{ tool: "note" }] },
      { call: [{ tool: "bash", args: { command: "echo out" } }] },
      { say: "Done." },
    ];
    const rig = createRig(await startAgent(preset, { conversations: [{ match: "do the work", steps }] }));
    onTestFinished(rig.close);
    await layBait(rig.place.workingDirectory);
    const { session, calls } = await rig.open();
    expect(await session.exchange("do the work", { deadlineMs: 120_000 })).toEqual({
      kind: "idle",
      lastMessage: "Done.",
    });
    await session.stop();
    expect(calls).toHaveLength(1);
    const excused = preset.cannot.some((sentence) => sentence.startsWith("It starts the plugins"))
      ? [PLUGIN]
      : [];
    expect(await takenBait(rig.place.workingDirectory)).toEqual(excused);
  },
);
