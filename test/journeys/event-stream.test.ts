import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { after, aScenario, call, makes, saysOn } from "./a-scenario.ts";
import { type Journey, startJourney } from "./journey.ts";
import { secretsOf } from "./secrets-of.ts";
import { until } from "./until.ts";

const TOKEN = `ghp_${"Z".repeat(36)}`;
const [first, ...rest] = makes("page.md");
const SLOW = call("bash", { command: "sleep 300", description: "Wait" });

// The pull request of the first issue is #2.
const SCENARIO = aScenario({
  conversations: [
    saysOn(1, [
      {
        ...call("bash", { command: `echo it is ${TOKEN}`, description: "Look" }),
        say: `I found ${TOKEN} there.`,
      },
      { ...first, say: "Now I write." },
      ...rest,
    ]),
    saysOn(3, [SLOW, ...after("You were interrupted by a restart", makes("other.md"))]),
  ],
});

/** Reads a stream until it breaks; `text` contains what arrived. */
function follow(journey: Journey, query: string) {
  const { DASHBOARD_TOKEN: token } = secretsOf(journey.served().pid);
  const stream = { text: "", ended: false };
  const read = async (): Promise<void> => {
    const answer = await fetch(`${journey.served().url}/api/events${query}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const decoder = new TextDecoder();
    for await (const piece of answer.body ?? []) stream.text += decoder.decode(piece, { stream: true });
  };
  const done = read()
    .catch(() => undefined)
    .finally(() => {
      stream.ended = true;
    });
  return { stream, done, events: () => eventsIn(stream.text) };
}

function eventsIn(text: string): readonly { id: number; type: string; data: Record<string, unknown> }[] {
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, json]) => JSON.parse(json ?? ""));
}

describe("a reader of a serving process's event stream", () => {
  let journey: Journey;

  beforeAll(async () => {
    journey = await startJourney({ scenario: SCENARIO });
  }, 180_000);
  afterAll(() => journey.close());

  it("sees an agent's work live, without secrets", { timeout: 180_000 }, async () => {
    const watched = follow(journey, "?after=0");
    await journey.github.as("octocat").openIssue({ title: "Page", body: "", labels: ["feature"] });
    await journey.reached(1, "COMPLETED");
    await until("it is told to the end", () =>
      watched.events().some(({ data }) => data["what"] === "worktree"),
    );
    const events = watched.events();
    expect(events.map(({ id }) => id)).toEqual(
      journey.rows("SELECT id FROM run_event ORDER BY id").map((row) => row["id"]),
    );
    const kinds = new Set(events.map(({ type }) => type));
    for (const kind of ["agent:starting", "agent:step", "stream:token", "agent:completed", "agent:cleanup"])
      expect(kinds).toContain(kind);
    expect(watched.stream.text).toContain("I found [redacted] there.");
    expect(watched.stream.text).not.toContain("ZZZZ");
  });

  it("finds each tool call in the audit log, including the runtime's own", () => {
    const calls = journey.rows(
      "SELECT tool, status, turn, input, output, duration_ms FROM tool_call ORDER BY id",
    );
    expect(calls.map(({ tool, status, turn }) => [tool, status, turn])).toEqual([
      ["bash", "success", 1],
      ["bash", "success", 2],
      ["commit", "success", 3],
      ["open_pr", "success", 4],
      ["report_complete", "success", 5],
    ]);
    expect(calls[0]).toMatchObject({ output: expect.stringMatching(/it is (\[redacted\]|\*+)/) });
    expect(JSON.stringify(calls)).not.toContain("ZZZZ");
    expect(calls.every((one) => Number(one["duration_ms"]) >= 0)).toBe(true);
    expect(journey.rows("SELECT state, step FROM run")).toEqual([{ state: "succeeded", step: 5 }]);
  });

  it("reconnects after a kill -9 in the middle of a call, and gets the remaining events", {
    timeout: 180_000,
  }, async () => {
    const before = follow(journey, "?after=0");
    await journey.github.as("octocat").openIssue({ title: "Other", body: "", labels: ["feature"] });
    await until(
      "the call runs",
      () => journey.rows("SELECT 1 FROM tool_call WHERE status = 'running'").length === 1,
    );
    await until("it is told", () => before.events().filter(({ type }) => type === "tool:start").length === 6);
    await until(
      "it is at work",
      () => journey.rows("SELECT 1 FROM run WHERE issue = 3 AND state = 'executing'").length === 1,
    );
    await journey.restart("SIGKILL");
    await before.done;
    const last = before.events().at(-1)?.id ?? 0;
    const later = follow(journey, `?after=${last}`);
    await journey.reached(3, "COMPLETED");
    await until("it is told to the end", () =>
      later.events().some(({ data }) => data["what"] === "worktree"),
    );
    const ids = [...before.events(), ...later.events()].map(({ id }) => id);
    expect(ids).toEqual(journey.rows("SELECT id FROM run_event ORDER BY id").map((row) => row["id"]));
    expect(journey.rows("SELECT tool, status FROM tool_call WHERE turn = 1 AND agent_id = 2")[0]).toEqual({
      tool: "bash",
      status: "interrupted",
    });
  });

  it("sees the stream end when the process shuts down", { timeout: 180_000 }, async () => {
    const watched = follow(journey, "");
    await until("it begins", () => watched.stream.text !== "");
    const stopped = journey.served().stop();
    await Promise.race([watched.done, pause(1500)]);
    expect(watched.stream.ended).toBe(true);
    expect(await stopped).toBe(0);
  });
});
