import { expect, it } from "vitest";
import { MINUTE } from "../../factories/moment.ts";
import { agentOf, stateOf, toldTo } from "../look.ts";
import { labeled, said } from "../people.ts";
import { aRig, type Rig } from "../rig.ts";
import { after, edit, escalate, on, slowly, work } from "../scripts.ts";

const ANSWER = "The second, in green.";

/** How often the conversation that the model continues with holds the answer. */
function heard(rig: Rig): number {
  const messages = rig.runtime.requests.at(-1) ?? [];
  return messages.filter(({ role, content }) => role === "user" && content.includes(ANSWER)).length;
}

/** An agent is woken with an answer; what `die` does at that point of its second exchange, then as long as it takes. */
async function answered(point: string, die: (rig: Rig, sessionId: string) => void): Promise<Rig> {
  const [begin = edit(), ...rest] = work;
  const script = [
    on(
      1,
      escalate,
      after(ANSWER, slowly(MINUTE, begin)),
      ...rest,
      after("You were interrupted|died|started again", begin),
      ...rest,
    ),
  ];
  const rig = await aRig({ script });
  await rig.engine.handle(labeled(rig, 1));
  await rig.idle();
  const { sessionId } = await agentOf(rig);
  let met = false;
  rig.onCrashPoint = (name) => {
    if (met || name !== point) return;
    met = true;
    die(rig, sessionId ?? "");
  };
  await rig.engine.handle(said(rig, 1, `/flotilla answer ${ANSWER}`));
  await rig.until("it is killed", () => met);
  if (rig.life.over) await rig.restart();
  await rig.until("it has worked", async () => {
    rig.clock.advance(1000);
    await rig.engine.tick();
    return (await stateOf(rig)) === "COMPLETED";
  });
  return rig;
}

const host = (rig: Rig) => rig.life.end();
const process = (rig: Rig, sessionId: string) => rig.runtime.kill(sessionId);

it.each([
  ["before it counts as told, its host", "turn:message", host],
  ["as soon as it counts as told, its host", "turn:told", host],
  ["before it counts as told, its process", "turn:message", process],
  ["as soon as it counts as told, its process", "turn:told", process],
] as const)(
  "an agent knows the answer that it was woken with when it is killed %s",
  async (_, point, die) => {
    const rig = await answered(point, die);
    expect(heard(rig)).toBe(1);
    expect(toldTo(rig).filter((text) => text.includes("Work on issue"))).toHaveLength(1);
    expect(await rig.store.wakes.pending((await agentOf(rig)).id)).toEqual([]);
  },
);
