import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { isUnreachable, waitsForOutside } from "../../domain/agents/unreachable.ts";
import type { ChangeSet } from "../../domain/kernel/change-set.ts";
import { errorWords } from "../../domain/kernel/error-words.ts";
import { OutsideError } from "../../domain/kernel/errors.ts";
import { retryOrFail } from "../../domain/tasks/retry-or-fail.ts";
import { agentMove } from "../kernel/advance-agent.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { clean } from "../kernel/run-events.ts";
import { countEarlierErrors, unreachable } from "../outbox/effect-failed.ts";

/**
 * Returns what follows from an error that ended an agent's period. A temporary error leads to an uncounted
 * retry; any other counts like a crash. Before the model was `asked`, the agent waits for whatever cannot be
 * reached.
 */
export async function afterError(
  context: EngineContext,
  agent: AgentRecord,
  error: unknown,
  { asked }: { readonly asked: boolean },
): Promise<Partial<ChangeSet>> {
  const at = context.clock.now();
  if (isUnreachable(error) && (!asked || passes(error))) {
    const wait = waitsForOutside(error, {
      at,
      tries: await countEarlierErrors(context, agent.id),
      ...(asked ? {} : { idleSince: agent.activeSince ?? at }),
      clean: (text) => clean(context, text),
    });
    return { ...unreachable(agent, error, context.redact), moves: [agentMove(agent, wait)] };
  }
  const { maxRestarts } = context.settings.retries;
  const words = clean(context, errorWords(error));
  const again = retryOrFail(
    // GitHub, git and the runtime would refuse another attempt in the same way.
    { agent, at, maxRestarts, curable: !(error instanceof OutsideError) },
    { code: "internal_error", what: "Flotilla met an error while it drove the agent", detail: words },
  );
  return { moves: [agentMove(agent, again)] };
}

function passes({ consequence }: OutsideError): boolean {
  return consequence === "retry" || consequence === "park";
}
