import { OutsideError } from "../core/errors.ts";
import type { AgentRecord } from "../core/machines/agent-record.ts";
import type { Reaction } from "../core/reaction.ts";
import { errorWords } from "../core/text/error-words.ts";
import { triedAgain } from "../core/tried-again.ts";
import { isUnreachable, waitsForOutside } from "../core/unreachable.ts";
import type { EngineContext } from "./context.ts";
import { earlierTries, unreachable } from "./effect-failed.ts";
import { clean } from "./run-events.ts";
import { agentMove } from "./settle.ts";

/**
 * Returns what follows from an error that ended an agent's period: what passes is tried again uncounted, anything else
 * counts like a crash. Until the model was `asked` the agent only waited, and whatever is away then is waited for.
 */
export async function afterError(
  context: EngineContext,
  agent: AgentRecord,
  error: unknown,
  { asked }: { readonly asked: boolean },
): Promise<Partial<Reaction>> {
  const at = context.clock.now();
  if (isUnreachable(error) && (!asked || passes(error))) {
    const wait = waitsForOutside(error, {
      at,
      tries: await earlierTries(context, agent.id),
      ...(asked ? {} : { idleSince: agent.activeSince ?? at }),
      clean: (text) => clean(context, text),
    });
    return { ...unreachable(agent, error, context.redact), moves: [agentMove(agent, wait)] };
  }
  const { maxRestarts } = context.settings.retries;
  const words = clean(context, errorWords(error));
  const again = triedAgain(
    // What GitHub, git or the runtime refuses it refuses another attempt too.
    { agent, at, maxRestarts, curable: !(error instanceof OutsideError) },
    { code: "internal_error", what: "Flotilla met an error while it drove the agent", detail: words },
  );
  return { moves: [agentMove(agent, again)] };
}

function passes({ consequence }: OutsideError): boolean {
  return consequence === "retry" || consequence === "park";
}
