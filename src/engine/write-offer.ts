import type { Offer } from "../core/offer.ts";
import { NOTHING } from "../core/reaction.ts";
import type { EngineContext } from "./context.ts";
import { advanceAgent, agentMove } from "./settle.ts";

/** The one way in which an offer ends: an event for the agent's machine, which may refuse it, or a decision. */
export async function writeOffer(context: EngineContext, offer: Offer): Promise<void> {
  await advanceAgent(
    context,
    offer.agent,
    offer.offer === "made"
      ? { moves: [agentMove(offer.agent, offer.event)] }
      : { ...NOTHING, decisions: [offer.decision] },
  );
}
