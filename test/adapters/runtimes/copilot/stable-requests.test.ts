import { expect, onTestFinished, test } from "vitest";
import type { ModelRequest } from "../../../../src/demo/model/model-request.ts";
import { expectContinued } from "../../../continued-requests.ts";
import { createRig, longMs, type Rig, type Steps } from "../../../contracts/agent-runtime-rig.ts";
import { startCopilot } from "./copilot-harness.ts";

const shell = (command: string) => ({ tool: "bash", args: { command, description: "a command" } });
const file = "{{cwd}}/a.txt";

const remark = () => "Half of your turns are used.";

async function rigWith(
  steps: Steps,
): Promise<{ readonly rig: Rig; readonly requests: readonly ModelRequest[] }> {
  const harness = await startCopilot({ conversations: [{ match: "", steps }] });
  const rig = createRig(harness);
  onTestFinished(rig.close);
  return { rig, requests: harness.modelRequests };
}

test("each request begins with the bytes of the one before, over sleep, a killed process and remarks", async () => {
  const { rig, requests } = await rigWith([
    { say: "I look.", call: [shell("echo one"), { tool: "note", args: {} }] },
    { call: [{ tool: "create", args: { path: file, file_text: "1\n" } }] },
    {
      call: [
        { tool: "view", args: { path: file } },
        { tool: "view", args: { path: "{{cwd}}/no.txt" } },
      ],
    },
    { say: "Asleep." },
    { call: [{ tool: "refuse", args: {} }, shell("echo two; exit 3")] },
    { call: [{ tool: "edit", args: { path: file, old_str: "1", new_str: "2" } }] },
    { say: "Killed next." },
    { call: [shell("cat a.txt")] },
    { call: [{ tool: "finish", args: { summary: "done" } }] },
  ]);
  const first = await rig.open({ remark });
  const { spec } = first;
  await first.session.exchange("Begin.", { deadlineMs: longMs });
  await first.session.stop();
  const second = await rig.open(spec);
  expect(second.session.resumed).toBe(true);
  await second.session.exchange("Continue.", { deadlineMs: longMs });
  await rig.kill(spec.sessionId);
  await second.session.stop();
  const third = await rig.open(spec);
  await third.session.exchange("Continue again.", { deadlineMs: longMs });
  expect(requests).toHaveLength(9);
  expectContinued(requests);
  expect(requests.at(-1)?.body).not.toContain("__copilot");
});

test("a conversation that replaces another begins with the same bytes, up to its first message", async () => {
  const { rig, requests } = await rigWith([{ say: "Hello." }]);
  const first = await rig.open();
  await first.session.exchange("Begin.", { deadlineMs: longMs });
  const second = await rig.open({ ...first.spec, sessionId: `${first.spec.sessionId}-2` });
  await second.session.exchange("Go on from the handoff.", { deadlineMs: longMs });
  expect(requests).toHaveLength(2);
  const [before, after] = requests.map(({ body }) => {
    const { messages, ...rest } = JSON.parse(body);
    return JSON.stringify([messages[0], rest]);
  });
  expect(after).toBe(before);
});
