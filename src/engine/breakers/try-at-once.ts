import { repositoryScope } from "../../domain/breakers/scope.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import type { TransitionRequest } from "../kernel/transition-request.ts";

/**
 * Clears the way for agents that a person wants tried at once: a model provider that is given a pause may be asked, and an
 * open incident sends the first of them out to see whether it is over. Their wakes wait in the store already.
 */
export async function tryAtOnce(
  context: EngineContext,
  { repositoryId, reaction }: TransitionRequest,
): Promise<void> {
  const [first] = reaction.tryNow;
  if (first === undefined) return;
  await context.parking.askNow();
  const { incidents } = context.store;
  // In the place of one that is out already: that one continues where it is at work.
  for (const { id, state, scope } of await incidents.list())
    if (state === "open" && (scope === "all" || scope === repositoryScope(repositoryId)))
      await incidents.set(id, { probeAgentId: first, probeSince: context.clock.now() });
}
