import { expect, expectTypeOf, it } from "vitest";
import {
  type Declined,
  declineOffer,
  makeOffer,
  type Offer,
} from "../../../src/domain/agents/start-offer.ts";
import { AT } from "../../factories/moment.ts";
import { anAgent } from "../../factories/records.ts";

const agent = anAgent({ state: "CREATED" });

it("is a wish for the agent's machine, or a decision about the agent that says what would change it", () => {
  const wish = { type: "START", at: AT, actor: "flotilla", assignedTo: null } as const;
  expect(makeOffer(agent, wish)).toEqual({ offer: "made", agent, event: wish });
  const why = {
    rule: "slot",
    reason: "all slots are in use",
    change: "a slot is free",
    inputs: { limit: 1 },
  } as const;
  expect(declineOffer(agent, why)).toEqual({
    offer: "declined",
    agent,
    decision: { ...why, agentId: agent.id },
  });
});

it("cannot be nothing, nor a refusal that leaves no word of what would change it", () => {
  expectTypeOf<undefined>().not.toExtend<Offer>();
  expectTypeOf<null>().not.toExtend<Offer>();
  expectTypeOf<Declined["decision"]["change"]>().toEqualTypeOf<string>();
  // @ts-expect-error -- what would change it is missing
  declineOffer(agent, { rule: "slot", reason: "all slots are in use", inputs: {} });
});
