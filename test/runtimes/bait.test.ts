import { expect, test } from "vitest";
import type { Preset } from "../../src/adapters/runtimes/acp/preset.ts";
import { layBait, layNonsense, takenBait } from "../../src/cli/runtimes/bait.ts";
import { createRig, type Rig } from "../contracts/agent-runtime-rig.ts";
import { testedPresets } from "./install-agents.ts";
import { startAgent } from "./start-agent.ts";

async function rigOf(preset: Preset): Promise<Rig> {
  const steps = [
    { call: [{ tool: "note" }] },
    { call: [{ tool: "bash", args: { command: "touch out" } }] },
    { say: "Done." },
  ];
  return createRig(await startAgent(preset, { conversations: [{ match: "do the work", steps }] }));
}

const done = { kind: "idle", lastMessage: "Done." };

test.for(testedPresets())(
  "$name starts nothing that a repository brings along, and asks before its shell whatever that says",
  { timeout: 180_000 },
  async (preset, { onTestFinished }) => {
    const rig = await rigOf(preset);
    onTestFinished(rig.close);
    await layBait(rig.place.workingDirectory);
    const asked: string[] = [];
    const { session } = await rig.open({
      gate: ({ toolName }) => {
        asked.push(preset.tools.get(toolName)?.kind ?? toolName);
        return { allow: true };
      },
    });
    expect(await session.exchange("do the work", { deadlineMs: 120_000 })).toEqual(done);
    await session.stop();
    expect(asked).toEqual(["note", "shell"]);
    expect(await takenBait(rig.place.workingDirectory)).toEqual([]);
  },
);

test.for(testedPresets())(
  "$name works where all settings that a repository brings along are nonsense",
  { timeout: 180_000 },
  async (preset, { onTestFinished }) => {
    const rig = await rigOf(preset);
    onTestFinished(rig.close);
    await layNonsense(rig.place.workingDirectory);
    const { session, calls } = await rig.open();
    expect(await session.exchange("do the work", { deadlineMs: 120_000 })).toEqual(done);
    expect(calls).toHaveLength(1);
  },
);
