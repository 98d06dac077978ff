import { describe, expect, it } from "vitest";
import { APIS, scripted, serving, talking } from "./session-rig.ts";
import { TalkingAgent } from "./talking-agent.ts";

/** A gateway for an agent that takes back a turn that is cancelled or refused. */
async function takingBack(api: (typeof APIS)[number], origin: string) {
  const { open, dialect, types } = await talking(api, origin);
  const gateway = await open({ takesBack: true });
  return { gateway, agent: new TalkingAgent(dialect, gateway), types };
}

const ENDING = "The turn ends here.";

describe.each(APIS)("an agent that takes back its turns, and speaks %s", (api) => {
  it("reads an answer in place of the last refusal, which is told all the same", async () => {
    const model = await scripted([
      { error: { status: 400, message: "no, thanks" } },
      { after: "again", say: "Better." },
    ]);
    const { agent, gateway } = await takingBack(api, model.origin);
    gateway.begin("do the work");
    expect((await agent.says("do the work").asks()).text).toBe(ENDING);
    expect(gateway.failure()).toMatchObject({ reason: "invalid_request", status: 400 });
    gateway.begin("again");
    expect((await agent.says("again").asks()).text).toBe("Better.");
    expect(model.requests).toHaveLength(2);
  });

  it("reads an answer to the question under way when the turn is ended", async () => {
    const { promise: asked, resolve } = Promise.withResolvers<void>();
    const { origin } = await serving(() => resolve());
    const { agent, gateway, types } = await takingBack(api, origin);
    gateway.begin("do the work");
    const answer = agent.says("do the work").asks();
    await asked;
    expect(gateway.endTurn()).toBe(true);
    expect((await answer).text).toBe(ENDING);
    expect(gateway.failure()).toBeNull();
    expect(gateway.endTurn()).toBe(false);
    expect(types()).toEqual(["turn_started", "usage", "turn_ended"]);
  });
});

it("an answer that has begun when the turn is ended has an end", async () => {
  const { origin } = await serving((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write('data: {"candidates":[{"content":{"role":"model","parts":[{"text":"Half. "}]}}]}\n\n');
  });
  const { agent, gateway } = await takingBack("gemini", origin);
  gateway.begin("do the work");
  const reader = (await agent.says("do the work").send()).body?.getReader();
  await reader?.read();
  expect(gateway.endTurn()).toBe(true);
  const { value } = (await reader?.read()) ?? {};
  expect(Buffer.from(value ?? []).toString()).toContain(ENDING);
  expect((await reader?.read())?.done).toBe(true);
  expect(gateway.failure()).toBeNull();
});
