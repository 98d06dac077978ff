import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { agentDirectory } from "../../src/adapters/runtimes/acp/installed.ts";
import type { Preset } from "../../src/adapters/runtimes/acp/preset.ts";
import { describeConfined } from "../adapters/sandbox/bubblewrap-here.ts";
import { after, aScenario, call, saysOn } from "../journeys/a-scenario.ts";
import { filesWith } from "../journeys/files-with.ts";
import { type Journey, startJourney } from "../journeys/journey.ts";
import { processesOf } from "../journeys/processes-of.ts";
import { secretsOf } from "../journeys/secrets-of.ts";
import { until } from "../journeys/until.ts";
import { KEPT, testedPresets } from "./install-agents.ts";
import { shellCall } from "./start-agent.ts";

const PRESETS = testedPresets();
/** Reviews what the others made. */
const REVIEWER = PRESETS.at(-1)?.name ?? "";
/** Reviews what that one made: the built-in runtime. */
const OTHER = "copilot";
const BLOCKER = 1;
const AGAIN = "You were interrupted by a restart";
const LOOKS = "ls && cat README.md";
const SHOWS = "git show --stat HEAD";
const PRICE = { in: 2, cached: 0.5, out: 8 };

const APIS: readonly Preset["api"][] = ["completions", "responses", "anthropic", "gemini"];

const issueOf = (preset: Preset) => BLOCKER + 1 + PRESETS.indexOf(preset);
const modelOf = ({ name }: Preset) => `model-of-${name}`;
const fileOf = ({ name }: Preset) => `by-${name}.md`;
const keyOf = (api: Preset["api"]) => `KEY_FOR_${api.toUpperCase()}`;
const KEYS = Object.fromEntries(APIS.map((api) => [keyOf(api), `the-key-for-${api}`]));
const shell = (runtime: string, command: string) => ({ call: [shellCall(runtime, command)] });

/** What the model says to the coder of an issue, in words of its agent. */
function codes(preset: Preset) {
  const file = fileOf(preset);
  return saysOn(
    issueOf(preset),
    [
      { say: "I look at what is there.", ...shell(preset.name, LOOKS) },
      call("report_blocked", { blocker_issue: BLOCKER, reason: "Its wording must be settled first." }),
      ...after("The issue that blocked you is resolved", [
        { say: "It is settled.", ...shell(preset.name, `printf 'made\\n' > ${file}; echo "It is made now"`) },
        // Long enough for a kill before the answer.
        { ...call("commit", { message: `Add ${file}` }), delayMs: 3000 },
        call("open_pr", { title: `Add ${file}`, body: `Adds \`${file}\`, as asked.` }),
        call("report_complete", { summary: `${file} is there.` }),
      ]),
    ],
    AGAIN,
  );
}

/** What it says to the reviewer whose runtime this is. */
function reviews(match: string, runtime: string) {
  const verdict = { commit: "{{commit}}", verdict: "approve", body: "It is there.", evidence: [SHOWS] };
  return { match, again: AGAIN, steps: [shell(runtime, SHOWS), call("submit_verdict", verdict)] };
}

const scenario = aScenario({
  conversations: [
    ...PRESETS.filter(({ name }) => name === REVIEWER).map((preset) =>
      reviews(`Review commit \\w+ for issue #${issueOf(preset)} `, OTHER),
    ),
    reviews("Review commit ", REVIEWER),
    ...PRESETS.map(codes),
  ],
  config: {
    roles: {
      "feat-dev": { prompt: "feat-dev.md", triggers: [{ event: "issues.labeled", label: "feature" }] },
      reviewer: {
        prompt: "reviewer.md",
        lifecycle: "ephemeral",
        checkout: "head",
        evidence: "verdict",
        triggers: [{ event: "task.ready_for_review" }],
      },
    },
    review: { differ: true },
    evidence: { commands: ["test -s README.md"] },
    runtime: {
      use: REVIEWER,
      prices: Object.fromEntries(["gpt-4.1", ...PRESETS.map(modelOf)].map((model) => [model, PRICE])),
    },
    runtime_labels: Object.fromEntries(PRESETS.map(({ name }) => [`agent:${name}`, name])),
    runtimes: Object.fromEntries(
      PRESETS.map((preset) => [
        preset.name,
        { preset: preset.name, models: [`${preset.api}/${modelOf(preset)}`] },
      ]),
    ),
  },
});

const at = (api: Preset["api"], own: object) => [api, { api_key_env: keyOf(api), ...own }];

function providers({ url, origin }: Pick<Journey["model"], "url" | "origin">) {
  return Object.fromEntries([
    at("completions", { type: "openai", base_url: url }),
    at("responses", { type: "openai", wire_api: "responses", base_url: url }),
    at("anthropic", { type: "anthropic", base_url: origin }),
    at("gemini", { type: "gemini", base_url: origin }),
  ]);
}

/** What the dashboard's API answers. */
async function asked(journey: Journey, path: string): Promise<unknown> {
  const { url, pid } = journey.served();
  const authorization = `Bearer ${secretsOf(pid)["DASHBOARD_TOKEN"]}`;
  return (await fetch(`${url}${path}`, { headers: { authorization } })).json();
}

const transcripts = z.object({
  transcript: z.array(z.looseObject({ type: z.string(), data: z.record(z.string(), z.unknown()) })),
});
const ledgers = z.object({
  ledger: z.array(z.looseObject({ key: z.string(), tokens_in: z.number(), cost_usd: z.number() })),
});

describeConfined("the first journey, with all agents in one installation", { timeout: 120_000 }, () => {
  let journey: Journey;
  const asleep = { processes: [0] as readonly number[], leaks: [""], known: [""] };

  beforeAll(async () => {
    journey = await startJourney({
      scenario,
      env: KEYS,
      patience: 600,
      configure({ dataDir, model }) {
        mkdirSync(dataDir, { mode: 0o700 });
        symlinkSync(agentDirectory(KEPT, ""), agentDirectory(dataDir, ""));
        return { providers: providers(model) };
      },
    });
    const octocat = journey.github.as("octocat");
    await octocat.openIssue({ title: "The wording", body: "To be settled by hand." });
    for (const preset of PRESETS) {
      await octocat.openIssue({ title: `A file by ${preset.title}`, body: `Please add ${fileOf(preset)}.` });
      await octocat.label(issueOf(preset), `agent:${preset.name}`);
      await octocat.label(issueOf(preset), "feature");
    }
    await everyOne("SLEEPING", "feat-dev");
    await journey.until("no process is left", async () => (await processesOf(journey)).length === 0);
    await lookAtTheSleepers();
    await journey.restart("SIGKILL");
    await octocat.close(BLOCKER);
    await journey.until("one is at work", () =>
      journey.model.requests.some(
        ({ messages }) => messages.at(-1)?.content.includes("It is made now") === true,
      ),
    );
    await journey.restart("SIGKILL");
    await everyOne("COMPLETED", "feat-dev");
    await everyOne("COMPLETED", "reviewer");
    await journey.quiet();
  }, 1_800_000);
  afterAll(() => journey.close());

  async function everyOne(state: string, role: string): Promise<void> {
    for (const preset of PRESETS) await journey.reached(issueOf(preset), state, role);
  }

  async function lookAtTheSleepers(): Promise<void> {
    const readable = ["sessions", "worktrees"].map((name) => join(journey.dataDir, name));
    asleep.processes = await processesOf(journey);
    asleep.leaks = filesWith(readable, [
      ...Object.values(KEYS),
      ...Object.values(secretsOf(journey.served().pid)),
    ]);
    asleep.known = filesWith(readable, ["# app"]);
  }

  it("is killed while an agent is at work", () => {
    const waits = "SELECT reason FROM transition WHERE machine = 'agent' AND event = 'WAIT'";
    expect(journey.rows(waits)).toContainEqual({ reason: expect.stringContaining("restart") });
  });

  it("leaves no process of those that sleep, and no key where agents can read", () => {
    expect(asleep.processes).toEqual([]);
    expect(asleep.known).not.toEqual([]);
    expect(asleep.leaks).toEqual([]);
  });

  it.for(PRESETS)("$name sleeps, wakes after the kill, and completes", async (preset) => {
    const [agent, ...others] = (await journey.api.agents()).filter(
      ({ issue, role }) => issue === issueOf(preset) && role === "feat-dev",
    );
    expect(others).toEqual([]);
    const model = `${preset.api}/${modelOf(preset)}`;
    expect(agent).toMatchObject({ runtime: preset.name, model, state: "COMPLETED", breaker: null });
    const moves = journey
      .rows(
        `SELECT to_state, event FROM transition JOIN agent ON agent.id = record_id WHERE machine = 'agent'
         AND agent.issue = ? AND role = 'feat-dev' AND from_state <> to_state ORDER BY transition.id`,
        issueOf(preset),
      )
      .map(({ to_state: to, event }) => `${String(event)} ${String(to)}`);
    expect(moves.join(", ")).toMatch(
      /^CREATE CREATED, START ACTIVE, BLOCKED SLEEPING, (?:WAKE ACTIVE, WAIT SLEEPING, )*WAKE ACTIVE, COMPLETE COMPLETED$/,
    );
  });

  it.for(PRESETS)("$name is shown to people by its name on the issue", (preset) => {
    const comments = journey.github
      .state()
      .comments(issueOf(preset))
      .map(({ body }) => body);
    const status = comments.filter((body) => body.includes("key=status"));
    expect(status).toHaveLength(1);
    expect(status[0]).toContain(`It works with ${preset.name} (${preset.api}/${modelOf(preset)}).`);
    expect(status[0]).toContain("Task: **APPROVED**");
    expect(comments.join("\n")).toContain("**feat-dev** is blocked by #1.");
    expect(comments.join("\n")).toContain(`> ${fileOf(preset)} is there.`);
  });

  it.for(PRESETS)(
    "$name's pull request has its file, its evidence and the verdict of another runtime",
    async (preset) => {
      const pulls = journey.github
        .state()
        .pulls()
        .filter(({ pull }) => pull.headRef === `flotilla/feat-dev/issue-${issueOf(preset)}`);
      expect(pulls).toHaveLength(1);
      const [{ title, body, pull } = { title: "", body: "", pull: { reviews: [] } }] = pulls;
      expect(title).toBe(`Add ${fileOf(preset)}`);
      for (const shown of [
        `Closes #${issueOf(preset)}`,
        `  - \`${fileOf(preset)}\``,
        `model \`${preset.api}/${modelOf(preset)}\``,
        "`test -s README.md`: exit 0",
        `Adds \`${fileOf(preset)}\`, as asked.`,
      ])
        expect(body).toContain(shown);
      expect(pull.reviews.map((review) => review.body)).toEqual([
        expect.stringMatching(/reviewer approves.*Commands it ran: `git show/s),
      ]);
      const reviewers = (await journey.api.agents()).filter(
        ({ issue, role }) => issue === issueOf(preset) && role === "reviewer",
      );
      const runtime = preset.name === REVIEWER ? OTHER : REVIEWER;
      expect(reviewers).toMatchObject([{ runtime, state: "COMPLETED" }]);
    },
  );

  it.for(PRESETS)(
    "$name's transcript is readable: what it said, called and read, before and after the kills",
    async (preset) => {
      const key = encodeURIComponent(`acme/app:feat-dev-issue-${issueOf(preset)}`);
      const { transcript } = transcripts.parse(await asked(journey, `/api/agents/${key}/transcript`));
      const of = (type: string, name: string) =>
        transcript.filter((event) => event.type === type).map(({ data }) => data[name]);
      expect(of("stream:token", "text").join("")).toMatch(/I look at what is there\..*It is settled\./s);
      expect(of("tool:result", "output").join("\n")).toContain("# app");
      const ours = ["report_blocked", "commit", "open_pr", "report_complete"];
      const done = transcript
        .filter(({ type, data }) => type === "tool:result" && data["status"] === "success")
        .map(({ data }) => data["tool"]);
      expect(done.filter((tool) => ours.includes(String(tool)))).toEqual(expect.arrayContaining(ours));
      const cut = transcript
        .filter(({ type, data }) => type === "tool:result" && data["status"] === "interrupted")
        .map(({ data }) => data["call"]);
      // The gate let each call go that was not cut off, also of the agent's own tools.
      const passed = new Set(of("tool:running", "call"));
      expect(of("tool:start", "call").filter((id) => !passed.has(id) && !cut.includes(id))).toEqual([]);
    },
  );

  it("counts what each runtime and its model came to, and no more than was asked", async () => {
    const by = async (what: string) => {
      const { ledger } = ledgers.parse(await asked(journey, `/api/ledger?by=${what}`));
      return new Map(ledger.map(({ key, ...line }) => [key, line]));
    };
    const [runtimes, models] = [await by("runtime"), await by("model")];
    expect([...runtimes.keys()].toSorted()).toEqual([...PRESETS.map(({ name }) => name), OTHER].toSorted());
    for (const preset of PRESETS) {
      const { cost_usd: cost = 0, tokens_in: tokens = 0 } = runtimes.get(preset.name) ?? {};
      expect(cost).toBeGreaterThan(0);
      expect(models.get(modelOf(preset))).toMatchObject({ cost_usd: cost, tokens_in: tokens });
    }
    const asks = Map.groupBy(journey.model.requests, ({ model }) => model);
    expect([...asks.keys()].toSorted()).toEqual([...models.keys()].toSorted());
    expect(
      new Set(journey.model.requests.map(({ authorization }) => authorization?.replace("Bearer ", ""))),
    ).toEqual(
      new Set([
        ...PRESETS.map(({ api }) => KEYS[keyOf(api)]),
        secretsOf(journey.served().pid)["MODEL_API_KEY"],
      ]),
    );
  });

  it("ends in a consistent database without a process", async () => {
    expect(await journey.violationsAfterStop()).toEqual([]);
    await until("all are gone", async () => (await processesOf(journey)).length === 0, 10);
  });
});
