import { repositoryScope } from "../../domain/breakers/scope.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import type { TransitionRequest } from "../kernel/transition-request.ts";

/**
 * Clears the way for agents that a person wants to retry at once: ends the pause of the model provider, and
 * sends the first of the agents as the probe of an open incident. Their wakes are in the store already.
 */
export async function tryAtOnce(
  context: EngineContext,
  { repositoryId, changes }: TransitionRequest,
): Promise<void> {
  const [first] = changes.tryNow;
  if (first === undefined) return;
  await context.providerBreaker.askNow();
  const { incidents } = context.store;
  // The new probe replaces one that is out already, which simply continues.
  for (const { id, state, scope } of await incidents.list())
    if (state === "open" && (scope === "all" || scope === repositoryScope(repositoryId)))
      await incidents.set(id, { probeAgentId: first, probeSince: context.clock.now() });
}
