import { expect, it } from "vitest";
import type { RepositoryRow } from "../../../src/domain/kernel/rows.ts";
import { advanceAgent, agentMove } from "../../../src/engine/kernel/advance-agent.ts";
import { aRepository } from "../../factories/an-occurrence.ts";
import { HOUR } from "../../factories/moment.ts";
import { someSettings } from "../../factories/some-settings.ts";
import { addIssue, person } from "../../fakes/github-world.ts";
import { byHand } from "../../reach/record.ts";
import { agentOf } from "../look.ts";
import { labeled, tell } from "../people.ts";
import { aRig, REPOSITORY, type Rig, type RigOptions } from "../rig.ts";
import { edit, on, slowly } from "../scripts.ts";

const { runtime, weights } = someSettings();
const slots = (maxConcurrentAgents: number) => ({ runtime: { ...runtime, maxConcurrentAgents } });

/** Whose agents wait: those of the first before all others. */
const WAITING = [REPOSITORY.id, 8, 9].flatMap((id) => (id === REPOSITORY.id ? Array(6) : Array(3)).fill(id));
const ownerOf = (id: number) => (id === 9 ? "quiet" : REPOSITORY.owner);
const nameOf = (id: number) => (id === REPOSITORY.id ? REPOSITORY.name : `repository-${id}`);
const repositoryOf = (id: number) => aRepository({ id, owner: ownerOf(id), name: nameOf(id) });

/** Agents of three repositories wait while there is no slot; then there are seven. */
async function waiting(settings: RigOptions["settings"] = {}): Promise<Rig> {
  const changing = slots(0);
  const script = WAITING.map((_, index) => on(index + 1, slowly(HOUR, edit())));
  const rig = await aRig({ settings: { ...changing, ...settings }, script, issues: WAITING.length });
  for (const id of [8, 9]) addIssues(rig, repositoryOf(id));
  for (const [index, id] of WAITING.entries()) {
    const repository = repositoryOf(id);
    await tell(rig, { ...labeled(rig, index + 1), repository });
  }
  // No round is under way then that has made some of its offers already.
  for (let round = 0; round < 3; round += 1) await rig.engine.tick();
  changing.runtime.maxConcurrentAgents = 7;
  await rig.engine.tick();
  return rig;
}

/** Adds a repository with as many issues, all that the agents' work needs. */
function addIssues(rig: Rig, repository: RepositoryRow): void {
  const added = rig.github.add(repository);
  added.permissions.set("alice", "write");
  for (const _ of WAITING) addIssue(added, { title: "An issue", author: person("alice") });
}

/** The repositories of the agents that started, in order. */
async function begun(rig: Rig): Promise<readonly number[]> {
  const moves = await Promise.all(
    (await rig.store.records.find("agent", {})).map(({ id }) => rig.store.transitions.ofAgent(id)),
  );
  const starts = moves.flat().filter(({ machine, event }) => machine === "agent" && event === "START");
  return starts.toSorted((a, b) => a.id - b.id).map(({ repositoryId }) => repositoryId);
}

it("a flood of one repository leaves every other slot to another installation, and shares its own", async () => {
  expect(await begun(await waiting())).toEqual([7, 9, 8, 9, 7, 9, 8]);
});

it.each([
  ["an installation", { ...weights, installations: { ACME: 2 } }, [7, 9, 8, 7, 9, 8, 7]],
  [
    "a repository",
    { ...weights, repositories: { [`${REPOSITORY.owner}/${REPOSITORY.name}`]: 5 } },
    [7, 9, 8, 9, 7, 9, 7],
  ],
])("%s gets turns by its weight", async (_, given, expected) => {
  expect(await begun(await waiting({ weights: given }))).toEqual(expected);
});

it("a new agent takes no slot out of its turn while others wait", async () => {
  const rig = await aRig({ settings: slots(0) });
  await tell(rig, labeled(rig, 1));
  const agent = await agentOf(rig);
  const start = async (turn: number | null) => {
    Object.assign(rig.context.room, { awaited: true, turn });
    const event = { type: "START", at: rig.clock.now(), actor: "flotilla", assignedTo: null } as const;
    const { refused } = await byHand(() =>
      advanceAgent(rig.context, agent, { moves: [agentMove(agent, event)] }),
    );
    return refused.map(({ reason }) => reason);
  };
  expect(await start(null)).toEqual(["others wait for a slot before it"]);
  expect(await start(agent.id)).toEqual(["all 0 slots are in use"]);
});
