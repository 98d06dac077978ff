import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { OpenStore } from "../../src/adapters/store/database.ts";
import { openStore } from "../../src/adapters/store/sqlite/open.ts";
import { commandLine } from "../../src/cli/command-line.ts";
import { everyCommand } from "../../src/cli/commands.ts";
import { OutsideError } from "../../src/domain/kernel/errors.ts";
import { blankGoal } from "../../src/domain/planning/goal.ts";
import { blankSprint } from "../../src/domain/planning/sprint.ts";
import { startControl } from "../../src/server/control/control-server.ts";
import { agent, run, task } from "../adapters/store/samples.ts";
import { aRepositoryFile } from "../factories/a-repository-file.ts";
import { CLAIM, OURS } from "../factories/leases.ts";
import { aPlace, type Ground, type Place, prepareGround } from "./doctor/place.ts";
import { UNASKED } from "./unasked-operations.ts";

const commands = await everyCommand();

/** What a stranger would write to drive a terminal, to forge a row, or to be seen by nobody. */
const HOSTILE =
  "pwned\u001b]0;title\u0007\u001b[2J\r\u202e\u2066\u2028\u2029\u0000\u009b31m\u0085\u{e0041}\nacme/app#1  MERGED";
/** As much of it as can stand in a file name or in an argument. */
const TYPED = HOSTILE.replaceAll("\u0000", "");
const FORBIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

let ground: Ground;
let place: Place;
let store: OpenStore;
let end: () => Promise<void>;

beforeAll(async () => {
  ground = await prepareGround();
  await ground.github.as("octocat").openIssue({ title: HOSTILE, body: HOSTILE, labels: ["bug"] });
  place = aPlace(ground);
  place.configure(`limits: ${JSON.stringify({ [HOSTILE]: HOSTILE })}`);
  place.put("other.yaml", JSON.stringify({ [HOSTILE]: 1 }));
  place.put("scenario.yaml", JSON.stringify({ title: HOSTILE, [HOSTILE]: HOSTILE }));
  store = await openStore({ path: join(place.home, "data/flotilla.db") });
  await fill(ground.github.state().repository.id);
  const refuses = () =>
    Promise.reject(new OutsideError("github_down", HOSTILE, { consequence: "retry", advice: HOSTILE }));
  end = await startControl({
    dataDir: join(place.home, "data"),
    store,
    operations: {
      ...UNASKED,
      pauseScope: refuses,
      resumeScope: refuses,
      send: refuses,
      kill: refuses,
      drain: refuses,
    },
    poke: () => undefined,
    onboard: refuses,
    sweep: refuses,
    log: { debug() {}, info() {}, warn() {}, error() {} },
  });
});

afterAll(async () => {
  await end();
  await store.close();
  await ground.close();
});

async function fill(repositoryId: number): Promise<void> {
  const of = { repositoryId, issue: 1 };
  const { id: agentId } = await store.records.insert(
    "agent",
    agent({ ...of, state: "SLEEPING", reason: HOSTILE, branch: HOSTILE, role: "bug-fix" }),
  );
  await store.records.insert("run", run({ ...of, agentId, error: HOSTILE }));
  await store.records.insert(
    "task",
    task({ ...of, title: HOSTILE, state: "REJECTED", rejectionReason: HOSTILE, assigneeId: agentId }),
  );
  const goal = { ...blankGoal, ...of, title: HOSTILE, reason: HOSTILE };
  const { id: goalId } = await store.records.insert("goal", goal);
  const sprint = { ...blankSprint, repositoryId, goalId, title: HOSTILE, reason: HOSTILE };
  await store.records.insert("sprint", sprint);
  const why = { rule: "slot", reason: HOSTILE, change: HOSTILE, inputs: { HOSTILE } } as const;
  await store.decisions.add({ ...of, at: 1000, agentId, delivery: null, ...why });
  await store.scopePauses.add({ scope: "all", holder: "person", by: HOSTILE, reason: HOSTILE, since: 1 });
  const row = {
    event: "issues",
    action: HOSTILE,
    installationId: 1,
    repositoryId,
    lane: `${repositoryId}#1`,
  };
  await store.deliveries.insert([{ ...row, guid: HOSTILE, payload: "{}", receivedAt: 1000 }]);
  await store.deliveries.claim({ ...CLAIM, now: 2000, limit: 1 });
  await store.deliveries.settle(HOSTILE, OURS.token, "dead", HOSTILE, 3000);
  const call = { agentId, model: HOSTILE, inputTokens: 1, outputTokens: 1, cachedTokens: 0, costMicroUsd: 1 };
  await store.usage.add({ ...call, at: Date.now() });
  await store.repositoryFiles.put(
    aRepositoryFile({ repositoryId, faults: [HOSTILE], override: null, source: null }),
  );
  const events = [
    { type: "stream:token", data: { text: HOSTILE } },
    {
      type: "agent:error",
      data: {
        code: "internal_error",
        status: 500,
        error: HOSTILE,
        recoverable: false,
        details: { tool: HOSTILE, call: HOSTILE },
      },
    },
    { type: "tool:start", data: { call: "1", tool: HOSTILE, input: HOSTILE } },
  ] as const;
  for (const event of events) await store.runEvents.add({ ...of, agentId, at: 1000, event });
}

/** Every write of one command line, as a terminal would get it but for the line feed at its end. */
async function written(argv: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const out: string[] = [];
  const shell = { cwd: place.home, env: { ...place.env, ...env }, load: () => {} };
  const add = (line: string): void => void out.push(line);
  await commandLine(argv, commands, { ...shell, print: add, complain: add });
  return out;
}

/** Ways to run each command on what strangers wrote. A command that is not listed here fails the test. */
const WAYS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  serve: [[]],
  demo: [
    ["--scenario", "scenario.yaml"],
    ["--scenario", TYPED],
  ],
  init: [["--url", TYPED]],
  check: [["--repository", TYPED], [], ["--repo", TYPED], ["--repo", "acme/app"]],
  roles: [["list"], ["show", "feat-dev", "--prompt"], ["show", TYPED], [TYPED]],
  doctor: [[]],
  agents: [
    ["try", TYPED],
    ["list"],
    ["show", "acme/app:feat-dev-issue-1"],
    ["transcript", "acme/app:feat-dev-issue-1"],
    ["send", "acme/app:feat-dev-issue-1", TYPED],
    ["kill", "acme/app:feat-dev-issue-1", "--reason", TYPED],
    ["show", TYPED],
    [TYPED],
  ],
  tasks: [[], ["--state", TYPED]],
  goals: [
    ["list"],
    ["show", "acme/app#1"],
    ["show", TYPED],
    ["checkpoint", "acme/app#1", "--reason", TYPED],
    [TYPED],
  ],
  schedules: [[], [TYPED]],
  mcp: [[], [TYPED]],
  notices: [["list"], ["try", TYPED], ["retry", TYPED], [TYPED]],
  explain: [["acme/app#1"], [TYPED]],
  report: [["--repo", "acme/app"]],
  onboard: [["acme/app", "--print"], ["acme/app"]],
  pause: [["--all", "--reason", TYPED]],
  resume: [["--all"], ["--repo", TYPED]],
  drain: [[TYPED], ["--undo"]],
  runtimes: [["list"], ["add", TYPED], ["try", TYPED], [TYPED]],
  deliveries: [["list"], ["sweep"], ["replay", TYPED], ["replay", "--state", "dead", "--dry-run"], [TYPED]],
  trial: [
    ["acme/app", "--role", TYPED],
    ["acme/app", "--agent", TYPED],
    ["acme/app", "--against", TYPED],
    [TYPED],
  ],
  replay: [["acme/app#1"], ["acme/app#1", "--config", "other.yaml"], ["acme/app#1", "--config", TYPED]],
  ledger: [
    ["--by", "run"],
    ["--by", TYPED],
    ["--by", "run", "--csv"],
  ],
  backup: [["--to", TYPED]],
  "migrate-store": [["--to", TYPED]],
  support: [["--to", TYPED]],
  diagram: [[], ["--write", TYPED]],
  completion: [["bash"], [TYPED]],
};

describe.each(commands.map(({ name }) => name))("flotilla %s", (name) => {
  test.each([[], ["--json"]])(
    "prints only what a terminal shows, each line by itself %s",
    async (...more) => {
      const ways = WAYS[name];
      if (ways === undefined) throw new Error(`say in WAYS how ${name} is run on what strangers wrote`);
      const seen: string[] = [];
      for (const way of [...ways, [`--${TYPED}`], [...(ways[0] ?? []), TYPED, TYPED, TYPED]])
        for (const line of await written([name, ...way, ...more.flat()])) {
          expect(line).not.toMatch(FORBIDDEN);
          if (line.startsWith("{")) JSON.parse(line);
          seen.push(line);
        }
      // What a stranger wrote is shown all the same, in an escaped form.
      expect(seen.join("\n")).toContain(String.raw`pwned\u001b`);
    },
  );
});

test("one task, one agent and one delivery are one line each, and JSON has what GitHub has", async () => {
  for (const argv of [["tasks"], ["deliveries"]]) expect(await written(argv)).toHaveLength(1);
  const agents = await written(["agents"]);
  expect(agents.filter((line) => !line.startsWith("PAUSED: "))).toHaveLength(1);
  const [line = ""] = await written(["tasks", "--json"]);
  expect(JSON.parse(line)).toMatchObject({ tasks: [{ title: HOSTILE }] });
});

test("a command that does not exist is named without what it would do to a terminal", async () => {
  const lines = await written([TYPED]);
  expect(lines.join("\n")).toContain(String.raw`pwned\u001b`);
  for (const line of lines) expect(line).not.toMatch(FORBIDDEN);
});
