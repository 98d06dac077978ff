import { expect, it, onTestFinished } from "vitest";
import { createRig } from "../../../contracts/agent-runtime-rig.ts";
import { scriptedPreset } from "../../../fixtures/acp/preset.ts";
import { confinedRunner, describeConfined } from "../../sandbox/bubblewrap-here.ts";
import { startAcp } from "./acp-harness.ts";

const plain = scriptedPreset();
const hooked = scriptedPreset("", {
  gate: "hook",
  env: (place) => ({ ...plain.env(place), AGENT_HOOK: JSON.stringify(place.hook) }),
  etc: () => ({ "scripted/rules.toml": "hooks = true\n" }),
});

const bash = (command: string) => ({ call: [{ tool: "bash", args: { command } }] });

describeConfined("an agent that asks by a hook, in a sandbox", () => {
  it("runs what the gate allows and tells its model why it may not run the rest; what is in /etc stays as it is", async () => {
    const rules = "/etc/scripted/rules.toml";
    const steps = [
      bash(`(chmod 600 ${rules}; echo more >> ${rules}) 2> /dev/null; cat ${rules}`),
      bash("echo secret"),
      { say: "I see." },
    ];
    const harness = await startAcp(
      { conversations: [{ match: "Role: contract.*do the work", steps }] },
      { preset: hooked, runner: confinedRunner },
    );
    const rig = createRig(harness);
    onTestFinished(rig.close);
    const asked: unknown[] = [];
    const { session, events } = await rig.open({
      gate: ({ args }) => {
        asked.push(args);
        return asked.length === 1
          ? { allow: true }
          : { allow: false, reason: "not on a Sunday", endExchange: false };
      },
    });
    expect(await session.exchange("do the work", { deadlineMs: 30_000 })).toEqual({
      kind: "idle",
      lastMessage: "I see.",
    });
    const read = rig
      .requests()
      .at(-1)
      ?.flatMap(({ role, content }) => (role === "tool" ? content : []));
    expect(read).toEqual(["hooks = true\n", "not on a Sunday\n"]);
    expect(asked).toHaveLength(2);
    expect(events.filter((event) => event.type === "tool_ended" && event.denied)).toHaveLength(1);
  });
});
