import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createRig } from "../../../contracts/agent-runtime-rig.ts";
import { confinedRunner, describeConfined } from "../../sandbox/bubblewrap-here.ts";
import { startAcp } from "./acp-harness.ts";

/** Runs this program as the agent's shell does, and returns what it printed and what reached our tools. */
async function attack(program: string, gate: (toolName: string) => boolean = () => true) {
  const call = [{ tool: "bash", args: { command: `${process.execPath} attack.mjs` } }];
  const steps = [{ call }, { say: "Done." }];
  const harness = await startAcp(
    { conversations: [{ match: "Role: contract.*do the work", steps }] },
    { runner: confinedRunner },
  );
  const rig = createRig(harness);
  onTestFinished(rig.close);
  const provider = harness.place.provider?.baseUrl ?? "";
  writeFileSync(join(harness.place.workingDirectory, "attack.mjs"), program.replaceAll("PROVIDER", provider));
  const asked: string[] = [];
  const { session, calls, events } = await rig.open({
    gate: ({ toolName }) => {
      asked.push(toolName);
      return gate(toolName)
        ? { allow: true }
        : { allow: false, reason: "not on a Sunday", endExchange: false };
    },
  });
  expect((await session.exchange("do the work", { deadlineMs: 30_000 })).kind).toBe("idle");
  const printed = rig
    .requests()
    .at(-1)
    ?.flatMap(({ role, content }) => (role === "tool" ? content : []))
    .join("\n");
  return { printed, asked, calls, events, requests: rig.requests };
}

/** Calls a tool of ours as an agent does. */
const CALL = `
const call = async (headers) => {
  const url = process.env.AGENT_MODEL_URL.replace(/model.*/, "mcp");
  const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "note", arguments: {} } };
  const accept = "application/json, text/event-stream";
  const answer = await fetch(url, {
    method: "POST", body: JSON.stringify(body), headers: { "content-type": "application/json", accept, ...headers },
  });
  console.log(answer.status, await answer.text());
};`;

describeConfined("what a shell of the agent tries", { timeout: 60_000 }, () => {
  it("finds no key of the provider, wherever it looks", async () => {
    const { printed } = await attack(`
      import { execSync } from "node:child_process";
      console.log(execSync("env; cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline; find / -xdev -type s 2>/dev/null; echo looked", { shell: "/bin/sh" }).toString());
    `);
    expect(printed).toContain("looked");
    expect(printed).toContain("AGENT_KEY");
    expect(printed).not.toContain("the-provider-key");
  });

  it("reaches the provider by no way around the gateway, which hears only the session's own agent", async () => {
    const { printed, requests } = await attack(`
      const tell = (what) => (answer) => console.log(what, answer.status ?? answer.cause?.code);
      const ask = (url, headers = {}) =>
        fetch(url, { method: "POST", body: "{}", headers }).catch((error) => error);
      const { AGENT_MODEL_URL: gateway, AGENT_KEY: key } = process.env;
      await ask("PROVIDER/chat/completions").then(tell("direct"));
      await ask(gateway + "/chat/completions").then(tell("without"));
      await ask(gateway + "/chat/completions", { authorization: "Bearer other" }).then(tell("other"));
      await ask(gateway + "/models", { authorization: "Bearer " + key }).then(tell("path"));
      await ask(gateway.replace(/model.*/, "host"), { authorization: "Bearer " + key }).then(tell("host"));
    `);
    expect(printed?.trim().split("\n")).toEqual([
      "direct ECONNREFUSED",
      "without 403",
      "other 403",
      expect.stringMatching(/^path 4\d\d$/),
      "host 404",
    ]);
    expect(requests()).toHaveLength(2);
  });

  it("calls no tool of ours without the session's token, and none past the gate with it", async () => {
    const { printed, asked, calls, events } = await attack(
      `${CALL}
      await call({});
      await call({ authorization: "Bearer " + process.env.AGENT_KEY });`,
      (toolName) => toolName !== "note",
    );
    const [without, withToken] = printed?.split("\n") ?? [];
    expect(without).toMatch(/^403 /);
    expect(withToken).toMatch(/^200 /);
    expect(printed).toContain("not on a Sunday");
    expect(asked).toEqual(["bash", "note"]);
    expect(calls).toEqual([]);
    expect(events).toContainEqual(expect.objectContaining({ type: "tool_started", toolName: "note" }));
  });
});
