import { isLive } from "../../core/machines/agent-record.ts";
import { MARKS_WRITTEN, readMarks } from "../../core/marks.ts";
import { OperationError } from "../../core/operation-fault.ts";
import { setsMarks } from "../../core/reactions/on-set.ts";
import type { EngineContext } from "../context.ts";
import { reach } from "./reach.ts";
import { type Act, type ActedOn, after, invalidState, move, steering } from "./steer.ts";

/** An operator's `set`: the words as a comment says them, `ttl=8h`, `tag=urgent`. */
export interface SetAct extends Act {
  readonly set: readonly string[];
}

/** What `/flotilla set` does for one agent. Throws `OperationError`. */
export async function setOn(context: EngineContext, act: SetAct): Promise<ActedOn> {
  const { agent } = await reach(context.store, act.agent);
  const change = readMarks(act.set);
  if ("fault" in change) throw refused(`${MARKS_WRITTEN}; ${change.fault}`);
  if (!isLive(agent)) throw invalidState(agent, "set");
  const { at, actor } = steering(context, act);
  const reaction = setsMarks([agent], change, { at, actor, words: act.set.join(" ") });
  const [decision] = reaction.marks.length === 0 ? reaction.decisions : [];
  if (decision !== undefined) throw refused(`a change that the agent can have; ${decision.reason}`);
  await move(context, { act, agent }, { ...reaction, effects: [{ kind: "status_comment" }] }, "set");
  return after(context, agent);
}

function refused(expected: string): OperationError {
  return new OperationError({ code: "invalid_argument", argument: "set", expected });
}
