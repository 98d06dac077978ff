import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, it } from "vitest";
import { after, aScenario, call, makes, saysOn } from "./a-scenario.ts";
import { type Journey, startJourney } from "./journey.ts";
import { processesOf } from "./processes-of.ts";
import { until } from "./until.ts";
import { withoutDelimiters } from "./without-delimiters.ts";

const WRITES = 1;
const LEAVES_IT = 2;
const DELETES = 3;
const CALLS_OUT = 4;

/** Between 90 % of this and the 95 % at which the runtime compacts by itself, including its initial prompt. */
const LONGEST = 40_000;
const FILLING = "lorem ipsum dolor ".repeat(10_300);
const ASKED = "nearly as long as it can be";

const outside = mkdtempSync(join(tmpdir(), "flotilla-outside-"));
const precious = join(outside, "precious.txt");
const deletes = call("bash", { command: `rm -f ${precious}`, description: "Clear up" });
const callsOut = call("bash", { command: "curl -s http://127.0.0.1:9/", description: "Look it up" });
const rewritesCi = call("create", { path: "{{cwd}}/.github/workflows/ci.yml", file_text: "on: push\n" });
const fills = (file: string) => ({ ...makes(file)[0], say: FILLING });

const SCENARIO = aScenario({
  config: { runtime: { permission_mode: "ask", provider: { max_prompt_tokens: LONGEST } } },
  conversations: [
    saysOn(WRITES, [
      fills("written.md"),
      call("bash", { command: "ls", description: "Look" }),
      ...after(ASKED, [
        call("write_handoff", { summary: "written.md holds one line.", next_action: "Commit written.md." }),
      ]),
      ...after("You left this", makes("written.md").slice(1)),
    ]),
    saysOn(LEAVES_IT, [
      fills("left.md"),
      call("bash", { command: "ls", description: "Look" }),
      ...after(ASKED, [call("bash", { command: "ls -l", description: "Look" })]),
      ...after("This is known of it", makes("left.md").slice(1)),
    ]),
    saysOn(DELETES, [
      deletes,
      ...after("lets this call pass once", [deletes, deletes]),
      ...after("Why: keep it", makes("kept.md")),
    ]),
    saysOn(CALLS_OUT, [
      { call: [...(callsOut.call ?? []), ...(rewritesCi.call ?? [])] },
      ...after("Why: read the manual", makes("manual.md")),
    ]),
  ],
});

describe("a conversation that is too long, and a call that a person must allow", { timeout: 180_000 }, () => {
  let journey: Journey;

  beforeAll(async () => {
    writeFileSync(precious, "gold");
    journey = await startJourney({ scenario: SCENARIO, confined: false });
    for (const issue of [WRITES, LEAVES_IT, DELETES, CALLS_OUT])
      await octocat().openIssue({ title: `Issue ${issue}`, body: "Please.", labels: ["feature"] });
  }, 180_000);
  afterAll(async () => {
    await journey.close();
    rmSync(outside, { recursive: true });
  });

  const octocat = () => journey.github.as("octocat");
  const agentOf = (issue: number) => journey.rows("SELECT * FROM agent WHERE issue = ?", issue)[0] ?? {};
  const sessionsOf = (issue: number) =>
    journey.rows(
      "SELECT session.* FROM session JOIN agent ON agent.id = agent_id WHERE issue = ? ORDER BY session.id",
      issue,
    );
  const asked = (issue: number, times: number) =>
    until(`#${issue} has asked ${times} times`, () => {
      const rows = journey.rows(
        "SELECT approval.* FROM approval JOIN agent ON agent.id = agent_id WHERE issue = ? ORDER BY approval.id",
        issue,
      );
      return rows.length === times && agentOf(issue)["state"] === "SLEEPING" ? rows.at(-1) : undefined;
    });
  const saidOn = (issue: number, text: string) =>
    until(`a comment on #${issue} with ${text}`, () =>
      journey.github
        .state()
        .comments(issue)
        .find(({ body }) => body.includes(text)),
    );
  const heard = (issue: number, text: string) =>
    journey.model.requests.filter(
      ({ messages }) =>
        messages.some(({ content }) => content.includes(`Work on issue #${issue} of`)) &&
        messages.at(-1)?.content.includes(text),
    );

  it.concurrent.for([
    {
      issue: WRITES,
      by: "agent",
      told: ["You left this", "written.md holds one line.", "Next action: Commit written.md."],
    },
    {
      issue: LEAVES_IT,
      by: "host",
      told: ["This is known of it", "Changed so far: left.md", "Next action: "],
    },
  ])(
    "continues in a new conversation that knows the handoff of the $by and nothing else",
    async ({ issue, by, told }, { expect }) => {
      await journey.reached(issue, "COMPLETED");
      const [old, present] = sessionsOf(issue);
      expect(String(old?.["session_id"])).toMatch(/-1$/);
      expect(String(present?.["session_id"])).toMatch(/-2$/);
      expect(old).toMatchObject({ state: "stopped", reason: "handoff" });
      const handoffs = journey.rows("SELECT * FROM handoff WHERE agent_id = ?", Number(agentOf(issue)["id"]));
      expect(handoffs).toMatchObject([{ cause: "context", written_by: by, session_id: old?.["session_id"] }]);
      const [first] = heard(issue, told[0] ?? "");
      const said = first?.messages.filter(({ role }) => role !== "system") ?? [];
      expect(said).toHaveLength(1);
      const content = withoutDelimiters(said[0]?.content ?? "");
      for (const words of told) expect(content).toContain(words);
      expect(JSON.stringify(first?.messages)).not.toContain(FILLING.slice(0, 4000));
      expect(agentOf(issue)).toMatchObject({ session_count: 2, wakes: 0 });
    },
  );

  it.concurrent("makes an approved call once, asks again about the same call, and continues without it after a denial", async ({
    expect,
  }) => {
    const first = await asked(DELETES, 1);
    expect(existsSync(precious)).toBe(true);
    expect(agentOf(DELETES)).toMatchObject({ sleep_reason: "approval", wakes: 0 });
    expect(heard(DELETES, "A person is asked: ")).toEqual([]);
    await until("it has no process", async () => (await processesOf(journey, DELETES)).length === 0);
    const hash = String(first["hash"]);
    const question = await saidOn(DELETES, `/flotilla approve ${hash.slice(0, 12)}`);
    expect(question.body).toContain(`rm -f ${precious}`);
    await octocat().comment(DELETES, `/flotilla approve ${hash.slice(0, 12)}`);
    const second = await asked(DELETES, 2);
    expect(existsSync(precious)).toBe(false);
    expect(second["hash"]).toBe(hash);
    const calls = journey.rows(
      "SELECT status FROM tool_call WHERE agent_id = ? AND tool = 'bash' ORDER BY id",
      Number(agentOf(DELETES)["id"]),
    );
    expect(calls.map(({ status }) => status)).toEqual(["success", "pending"]);
    writeFileSync(precious, "gold again");
    await octocat().comment(DELETES, "/flotilla deny keep it");
    await journey.reached(DELETES, "COMPLETED");
    expect(existsSync(precious)).toBe(true);
  });

  it.concurrent("asks about the network and a protected file in one request, and continues in another way after a denial", async ({
    expect,
  }) => {
    await asked(CALLS_OUT, 2);
    // The status comment names both calls without their arguments; the question shows them.
    const { body } = await saidOn(CALLS_OUT, ".github/workflows/ci.yml");
    expect(body).toContain("it uses the network (curl)");
    await octocat().comment(CALLS_OUT, "/flotilla deny read the manual");
    await journey.reached(CALLS_OUT, "COMPLETED");
    expect(agentOf(CALLS_OUT)).toMatchObject({ wakes: 0, session_count: 1 });
  });

  it("violates no lifecycle invariant", async ({ expect }) => {
    await journey.quiet();
    expect(await journey.violationsAfterStop()).toEqual([]);
  });
});
