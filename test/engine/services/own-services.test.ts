import { expect, it } from "vitest";
import { aRole } from "../../factories/a-role.ts";
import { rolesOf, someSettings } from "../../factories/some-settings.ts";
import { answersTo, commentsOn, stateOf, toldTo } from "../look.ts";
import { labeled, said, tell } from "../people.ts";
import { aRig, REPOSITORY, type Rig } from "../rig.ts";
import { after, commit, complete, edit, escalate, on, openPr, work } from "../scripts.ts";
import { dataOf } from "../told.ts";

const FILE = ".github/flotilla.yml";
const TEXT = `services:
  redis: { run: redis-server --port 6390, ready: redis-cli -p 6390 ping, env: { REDIS_URL: "redis://127.0.0.1:6390" } }
`;
const EVIDENCE = { evidence: { ...someSettings().evidence, commands: ["npm test", "npm run lint"] } };
const VARIABLES = { REDIS_URL: "redis://127.0.0.1:6390" };

async function withServices(options: Parameters<typeof aRig>[0]): Promise<Rig> {
  const rig = await aRig(options);
  rig.repository.files.set(FILE, TEXT);
  return rig;
}
const endOf = (name: string) => ({
  name,
  exitCode: null,
  signal: "SIGKILL",
  log: "Ready to accept connections",
});

it("runs beside the agent and beside each acceptance command, with its variables, and the agent is told", async () => {
  const rig = await withServices({ settings: EVIDENCE, script: [on(1, ...work)] });
  await tell(rig, labeled(rig, 1));
  expect(await stateOf(rig)).toBe("COMPLETED");
  const [spec] = rig.runtime.opened;
  expect(spec?.environment).toEqual(VARIABLES);
  const [ofAgent, ...ofCommands] = rig.runner.beside.hosts;
  expect(spec?.services).toBe(ofAgent);
  expect(ofAgent?.started).toMatchObject([{ name: "redis", directory: "/fake/sessions/1/services/redis" }]);
  expect(ofCommands).toHaveLength(2);
  for (const host of ofCommands) expect(host).toMatchObject({ isReleased: true, isClosed: true });
  for (const { env } of rig.runner.ran) expect(env).toMatchObject(VARIABLES);
  const [first] = toldTo(rig);
  expect(first).toContain("- `redis`: `REDIS_URL=redis://127.0.0.1:6390`");
  expect(first).toContain("/fake/sessions/1/services/NAME.log");
  expect(spec?.systemPrompt).toContain("commands that check your work: REDIS_URL\n");
  expect(await dataOf(rig, "agent:service")).toEqual([
    { service: "redis", what: "ready", detail: "it is ready" },
  ]);
});

it("setup commands have neither services nor their variables", async () => {
  const setup = { ...someSettings().setup, commands: ["npm ci"] };
  const rig = await withServices({ settings: { ...EVIDENCE, setup }, script: [on(1, ...work)] });
  await tell(rig, labeled(rig, 1));
  const installs = rig.runner.ran.filter(({ line }) => line === "npm ci");
  expect(installs).toHaveLength(2);
  for (const { env } of installs) expect(env).not.toHaveProperty("REDIS_URL");
});

it("is not started for an agent without a shell", async () => {
  const role = aRole({ capabilities: ["read", "edit"] });
  const rig = await withServices({ settings: { roles: rolesOf(role) }, script: [on(1, ...work)] });
  await tell(rig, labeled(rig, 1));
  expect(rig.runtime.opened).toHaveLength(1);
  expect(rig.runtime.opened[0]).not.toHaveProperty("services");
  expect(rig.runtime.opened[0]?.environment).toEqual({});
  expect(rig.runner.beside.hosts).toEqual([]);
});

it("a service that does not become ready asks a person, with its ready command and the end of its output", async () => {
  const rig = await withServices({ script: [on(1, ...work)] });
  const end = { name: "redis", exitCode: 1, signal: null, log: "Bad directive --prot" };
  rig.runner.beside.onStart = (_, host) => host.end(end);
  await tell(rig, labeled(rig, 1));
  expect(await stateOf(rig)).toBe("ESCALATED");
  expect(toldTo(rig)).toEqual([]);
  const shown = commentsOn(rig).join("\n");
  expect(shown).toContain("a service beside it did not become ready: `redis`");
  expect(shown).toContain(
    "`redis-server --port 6390` ended (exit code 1) before `redis-cli -p 6390 ping` exited with 0",
  );
  expect(shown).toContain("Bad directive --prot");
  expect(await dataOf(rig, "agent:service")).toMatchObject([{ service: "redis", what: "not_ready" }]);
  rig.runner.beside.onStart = () => {};
  await tell(rig, said(rig, 1, "/flotilla resume"));
  expect(await stateOf(rig)).toBe("COMPLETED");
});

it("a service that is killed is told to the agent with the answer of its next tool, once, and in the transcript", async () => {
  const rig = await withServices({ script: [on(1, edit(), commit, openPr, complete)] });
  rig.onCall = (name) => {
    if (name === "worktrees.commit") rig.runner.beside.hosts[0]?.end(endOf("redis"));
  };
  await tell(rig, labeled(rig, 1));
  const answers = answersTo(rig).join("\n");
  expect(
    answers.match(/The service `redis` \(`redis-server --port 6390`\) ended: SIGKILL ended it/g),
  ).toHaveLength(1);
  expect(answers).toContain("Ready to accept connections");
  expect((await dataOf(rig, "agent:service")).at(-1)).toMatchObject({ service: "redis", what: "ended" });
  expect(rig.logged).toContainEqual({ level: "warn", message: "service ended" });
});

it("a service that ends during an acceptance command is named in the output of the command", async () => {
  const rig = await withServices({
    settings: EVIDENCE,
    script: [on(1, ...work, after("this is missing", escalate))],
  });
  rig.runner.ends.set("npm test", () => {
    rig.runner.beside.hosts.at(-1)?.end(endOf("redis"));
    return { exitCode: 1, output: "ECONNREFUSED" };
  });
  await tell(rig, labeled(rig, 1));
  expect(toldTo(rig)[1]).toMatch(/`npm test` fails.*ECONNREFUSED.*The service `redis`.*SIGKILL ended it/s);
});

it("a service that is not ready beside an acceptance command keeps it from running, and the agent reads why", async () => {
  const rig = await withServices({
    settings: EVIDENCE,
    script: [on(1, ...work, after("this is missing", escalate))],
  });
  const end = { name: "redis", exitCode: 1, signal: null, log: "no such module" };
  rig.runner.beside.onStart = ({ directory }, host) => {
    if (!directory.startsWith("/fake/sessions")) host.end(end);
  };
  await tell(rig, labeled(rig, 1));
  expect(rig.runner.ran).toEqual([]);
  expect(toldTo(rig)[1]).toMatch(
    /^- The service `redis` did not become ready beside a command that checks your work, .* If your change is the cause, fix it; otherwise use `escalate_to_human`/m,
  );
  expect(toldTo(rig)[1]).not.toContain("setup command");
  expect(toldTo(rig)[1]).toContain("no such module");
});

it("begins anew when the agent wakes, and the agent is told so", async () => {
  const rig = await withServices({ script: [on(1, escalate, after("answers", escalate))] });
  await tell(rig, labeled(rig, 1));
  await tell(rig, said(rig, 1, "/flotilla answer This answers it."));
  expect(rig.runner.beside.hosts.map(({ started }) => started.length)).toEqual([1, 1]);
  expect(toldTo(rig)[1]).toContain("They were started just now and are empty");
});

it("a repository whose operator permits no services has none, whatever its file says", async () => {
  const base = someSettings().setup;
  const setup = { ...base, repositoriesMay: { ...base.repositoriesMay, services: false } };
  const rig = await withServices({ settings: { setup }, script: [on(1, ...work)] });
  await tell(rig, labeled(rig, 1));
  expect(rig.runner.beside.hosts).toEqual([]);
  expect(rig.context.settingsOf(REPOSITORY.id).services).toEqual({});
});
