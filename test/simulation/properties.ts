import type { AgentRecord } from "../../src/domain/agents/agent-record.ts";
import { allowanceOf } from "../../src/domain/breakers/allowance.ts";
import { limitsFor } from "../../src/domain/breakers/limits.ts";
import { parseMarker } from "../../src/domain/messages/marker.ts";
import { BOT } from "../fakes/github-world.ts";
import type { World } from "./world.ts";

/** A promise that a run has broken. */
export class Broken extends Error {
  override readonly name = "Broken";
  readonly property: string;
  constructor(property: string, detail: unknown) {
    super(`${property}: ${typeof detail === "string" ? detail : JSON.stringify(detail)}`);
    this.property = property;
  }
}

function holds(property: string, faults: readonly unknown[]): void {
  if (faults.length > 0) throw new Broken(property, faults);
}

/** What holds at every moment; `since` = the last move when it was looked at before. Returns the last move now. */
export async function checkAlways(world: World, since: number): Promise<number> {
  const { store, clock, settings } = world;
  holds("only who has it writes what became of it", world.leases.broken);
  const last = (await store.transitions.after(since, 10_000)).at(-1)?.id ?? since;
  if (last === since) return since;
  holds("no rule of the lifecycles is broken", await store.checkInvariants(clock.now()));
  holds("each effect stands on GitHub once", doubled(world));
  holds("the engine meets no error of its own", world.errors);
  const most = settings.runtime.maxConcurrentAgents;
  const agents = await store.records.find("agent", {});
  const atWork = agents.filter(({ state }) => state === "ACTIVE").map(({ name }) => name);
  if (atWork.length > most) throw new Broken("slots are limited", `${atWork.join(", ")} are at work`);
  for (const { name, runtime } of world.machines)
    if (runtime.running.size > most)
      throw new Broken("slots are limited", `${runtime.running.size} processes run on ${name}`);
  holds(
    "no agent goes beyond its limits",
    agents
      .filter((agent) => isBeyond(world, agent))
      .map(({ name, turns, toolCalls, wakes }) => ({ name, turns, toolCalls, wakes })),
  );
  return last;
}

/** Keys of ours that are found twice. */
function doubled({ repository }: Pick<World, "repository">): readonly string[] {
  const keys = [...repository.comments].flatMap(([number, comments]) =>
    comments
      .filter(({ author }) => author.id === BOT.id)
      .map(({ body }) => `comment ${number} ${parseMarker(body)?.key}`),
  );
  const issues = [...repository.issues.values()]
    .filter(({ author, isPullRequest }) => author.id === BOT.id && !isPullRequest)
    .map(({ body }) => `issue ${parseMarker(body)?.key}`);
  const pulls = [...repository.pulls.values()]
    .filter(({ state }) => state === "open")
    .map(({ headRef }) => `pull ${headRef}`);
  const all = [...keys, ...issues, ...pulls];
  return all.filter((key, index) => all.indexOf(key) !== index);
}

/**
 * A machine that stopped and went on counts what its agent had begun there, which the one that has taken the agent over
 * could not know.
 */
function isBeyond({ settings, pauses }: World, agent: AgentRecord): boolean {
  const role = settings.roles.get(agent.role);
  if (role === undefined) return true;
  const allowed = allowanceOf(limitsFor(settings, role), agent);
  return (
    agent.turns > allowed.turns + pauses ||
    agent.toolCalls > allowed.toolCalls + pauses ||
    agent.wakes > allowed.wakes
  );
}

/** What holds once the faults have stopped, all has been told and days have passed. */
export async function checkAtRest(world: World): Promise<void> {
  const { store, clock, machines } = world;
  const open = (await store.deliveries.list({}, 10_000)).filter(
    ({ state }) => state !== "done" && state !== "ignored",
  );
  holds(
    "every delivery is settled",
    open.map(({ guid, state, note }) => ({ guid, state, note })),
  );
  const unsettled = await store.effects.find({ state: ["pending", "leased"] });
  holds(
    "every effect is settled",
    unsettled.map(({ key, state, error, notBefore }) => ({ key, state, error, notBefore })),
  );
  const agents = await store.records.find("agent", {});
  const brief = agents.map(({ name, state, sleepReason, heldBy }) => ({ name, state, sleepReason, heldBy }));
  holds(
    "nobody is left at work",
    brief.filter(({ state }) => state === "ACTIVE"),
  );
  holds(
    "no process is left",
    machines.flatMap(({ runtime }) => [...runtime.running]),
  );
  const stuck: string[] = [];
  for (const agent of agents) {
    if (agent.state === "CREATED" && !(await waitsWithReason(world, agent))) stuck.push(agent.name);
    if (agent.state === "SLEEPING" && isOverdue(world, agent, clock.now())) stuck.push(agent.name);
  }
  holds(
    "nobody waits for nothing",
    brief.filter(({ name }) => stuck.includes(name)),
  );
}

/** How long after its end a pause may be noticed. */
const NOTICED_MS = 600_000;

/** What holds whenever nobody is at work and no effect is left: all slots are free. */
export async function checkAtEase({ store, clock }: World): Promise<void> {
  const sleepers = await store.records.find("agent", {
    state: "SLEEPING",
    sleepReason: ["retry", "provider_limit"],
  });
  const over = sleepers.filter(
    ({ dueAt, heldBy }) => heldBy.length === 0 && dueAt !== null && clock.now() - dueAt > NOTICED_MS,
  );
  holds(
    "a pause that is over ends",
    over.map(({ name, sleepReason, dueAt }) => ({ name, sleepReason, overFor: clock.now() - (dueAt ?? 0) })),
  );
}

/** Sleeps that only a person ends. */
const UNTIL_A_PERSON: readonly AgentRecord["sleepReason"][] = ["review", "question", "paused"];

function isOverdue({ settings }: World, agent: AgentRecord, now: number): boolean {
  if (agent.heldBy.length > 0 || UNTIL_A_PERSON.includes(agent.sleepReason)) return false;
  return now - (agent.sleepingSince ?? 0) > settings.limits.defaults.maxSleepDurationMs;
}

/** Why it has not begun stands in a decision. */
async function waitsWithReason({ store }: World, agent: AgentRecord): Promise<boolean> {
  const decisions = await store.decisions.ofIssue(agent.repositoryId, agent.issue, 50);
  return decisions.some(({ agentId }) => agentId === agent.id);
}
