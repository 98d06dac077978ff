import { expect } from "vitest";
import type { WaitingItem } from "../../../src/dashboard/api/waiting.ts";
import type { AgentRecord } from "../../../src/domain/agents/agent-record.ts";
import type { Verb } from "../../../src/domain/commands/command.ts";
import { commentsOn, taskOf } from "../look.ts";
import { fill, operates, press, type Seat, says } from "./places.ts";
import { type Situation, shownAt, situated } from "./situation.ts";

/** Commands that a text advises, each as a person types it. */
export function advised(text: string): readonly string[] {
  const found = [...text.matchAll(/`(\/?flotilla [^`]*)`(?: on #(\d+))?/g)];
  return [...new Set(found.map(([, command = "", on = ""]) => (on === "" ? command : `${command} @${on}`)))];
}

/** What a person types in the place of what a text leaves open. */
export const filled = (command: string) =>
  command
    .replace("<text>", "the first one")
    .replace("<reason>", "too risky")
    .replace(/ \[(n|rounds)\]/, " 9")
    .replace(" [role]", "")
    .replace("+$N", "+$900")
    .replace("+N agents", "+9 agents")
    .replace(/\+N$/, "+90");

interface Now {
  readonly agent: AgentRecord;
  readonly attempts: readonly AgentRecord[];
  readonly task: string | undefined;
  /** How many things hold it. */
  readonly holds: number;
}

async function look({ rig, agent: { id, repositoryId, issue } }: Seat): Promise<Now> {
  const agent = await rig.store.records.get("agent", id);
  if (agent === undefined) throw new Error("it is gone");
  const attempts = await rig.store.records.find("agent", { repositoryId, issue });
  const holds = (await rig.store.lists.holds([agent])).get(id)?.length ?? 0;
  return { agent, attempts, task: (await taskOf(rig, issue))?.state, holds };
}

const isAwakeAgain = ({ agent }: Now, before: Now) => agent.token > before.agent.token;
const isBegun = ({ attempts }: Now, before: Now) => attempts.length > before.attempts.length;
const isLifted = ({ holds }: Now, before: Now) => holds < before.holds;

/** What each command promises. */
const PROMISES: Readonly<Partial<Record<Verb | "kill" | "revive", (now: Now, before: Now) => boolean>>> = {
  resume: (now, before) => isAwakeAgain(now, before) || isLifted(now, before),
  continue: (now, before) => isAwakeAgain(now, before) || isLifted(now, before),
  budget: (now, before) => isAwakeAgain(now, before) || isBegun(now, before),
  answer: isAwakeAgain,
  approve: isAwakeAgain,
  deny: isAwakeAgain,
  retry: (now, before) => isAwakeAgain(now, before) || isBegun(now, before),
  start: (now, before) => isAwakeAgain(now, before) || isBegun(now, before),
  pause: ({ agent }) => agent.heldBy.includes("person"),
  complete: ({ agent }) => agent.state === "COMPLETED",
  cancel: ({ agent, task }) => agent.state === "CANCELLED" || task === "ABANDONED",
  kill: ({ agent }) => agent.state === "CANCELLED",
  revive: isBegun,
};

/** Rounds in which what was said can come true. */
const ROUNDS = 200;

async function becomes(seat: Seat, holds: (now: Now) => boolean): Promise<boolean> {
  for (let round = 0; round < ROUNDS; round += 1) {
    if (holds(await look(seat))) return true;
    seat.rig.clock.advance(1000);
    await seat.rig.engine.tick();
    await new Promise((resolve) => setImmediate(resolve));
  }
  return false;
}

async function comesTrue(seat: Seat, verb: string, before: Now): Promise<void> {
  const promise = Object.entries(PROMISES).find(([known]) => known === verb)?.[1];
  if (promise === undefined) throw new Error(`nobody knows what ${verb} promises`);
  if (await becomes(seat, (now) => promise(now, before))) return;
  const { agent, task } = await look(seat);
  const said = commentsOn(seat.rig, agent.issue).at(-1);
  throw new Error(`${verb} was taken and changed nothing: ${JSON.stringify({ agent, task, said })}`);
}

/** Types what is advised, on GitHub or at a terminal. */
async function types(seat: Seat, agent: AgentRecord, command: string): Promise<string> {
  const [typed = "", on] = filled(command).split(" @");
  const [tool, verb = "", ...rest] = typed.split(" ");
  if (tool === "/flotilla") {
    const reaction = await says(seat, Number(on ?? agent.issue), typed);
    expect([typed, reaction, reaction === "+1" ? "" : commentsOn(seat.rig, agent.issue).at(-1)]).toEqual([
      typed,
      "+1",
      "",
    ]);
    return verb;
  }
  const answer =
    verb === "agents"
      ? await operates(seat, `/agents/${rest[0]}`, {
          agent: `acme/shop:${agent.name}`,
          id: `t-${rest[0]}-${agent.name}`,
        })
      : await operates(seat, `/${verb}`, { scope: rest.includes("--all") ? "all" : "acme/shop" });
  expect(answer).toMatchObject({ status: 200 });
  return verb === "agents" ? (rest[0] ?? "") : verb;
}

/** Everything that is advised is taken and does what it promises, each tried where nothing else was. */
export async function expectWaysOn(situation: Situation): Promise<void> {
  const { agent: view } = await shownAt(situation);
  const commands = advised(view.next).filter((command) => !command.startsWith("flotilla doctor"));
  const tried = commands.length + (situation.goesOn === undefined ? 0 : 1);
  if (!view.next.startsWith("nothing")) expect(tried, `a way on in: ${view.next}`).toBeGreaterThan(0);
  for (const command of commands) {
    const seat = await situated(situation);
    // What lifts a hold comes before all.
    if (!command.startsWith("flotilla resume")) await situation.first?.(seat.rig);
    const before = await look(seat);
    await comesTrue(seat, await types(seat, seat.agent, command), before);
  }
  if (situation.goesOn === undefined) return;
  const seat = await situated(situation);
  const before = await look(seat);
  await situation.goesOn(seat.rig);
  const hasMoved = ({ agent, task }: Now) =>
    isAwakeAgain({ ...before, agent }, before) || agent.state !== before.agent.state || task !== before.task;
  expect(await becomes(seat, hasMoved), "it continues").toBe(true);
}

/** Every button that the page offers is taken and does what it promises. */
export async function expectButtons(situation: Situation): Promise<void> {
  const { agent: view, own } = await shownAt(situation);
  const acts = new Set([...view.acts, ...own.flatMap((item: WaitingItem) => item.acts)]);
  for (const act of acts) {
    const verb = act === "kill" ? "cancel" : act;
    const seat = await situated(situation);
    await situation.first?.(seat.rig);
    const before = await look(seat);
    // Beside the button is a field for how much more; without it the usual amount is soon used up again.
    const more = verb === "continue" && seat.agent.breaker !== null ? { amount: "5" } : {};
    expect([act, await fill(seat, more, "agents", view.key, verb)]).toMatchObject([act, { status: 200 }]);
    await comesTrue(seat, verb, before);
  }
  for (const { approval } of own)
    for (const verb of approval === null ? [] : ["approve", "deny"]) {
      const seat = await situated(situation);
      const before = await look(seat);
      const answer = await press(seat, "approvals", String(approval?.id), verb);
      expect([verb, answer]).toMatchObject([verb, { status: 200 }]);
      await comesTrue(seat, verb, before);
    }
}
