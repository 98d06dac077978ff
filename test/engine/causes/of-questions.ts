import type { OF_QUESTIONS } from "../../../src/domain/decisions/rules.ts";
import { HOUR } from "../../factories/moment.ts";
import { asked, ticked } from "../asking.ts";
import { said, tell } from "../people.ts";
import type { Rig } from "../rig.ts";
import type { Cause } from "./cause.ts";

/** An agent has asked, then it happens. */
function once(act: (rig: Rig) => Promise<unknown>, ask: Record<string, unknown> = {}): Cause {
  return async () => {
    const rig = await asked(ask);
    await act(rig);
    return rig;
  };
}

/** A real cause of each decision about a question. */
export const CAUSES_OF_QUESTIONS: Readonly<Record<keyof typeof OF_QUESTIONS, Cause>> = {
  no_answer: once((rig) => tell(rig, said(rig, 1, "/flotilla answer"))),
  no_box_ticked: once(async (rig) => tell(rig, await ticked(rig, []))),
  no_question: once(async (rig) => tell(rig, { ...(await ticked(rig, [])), commentId: 1, body: "Another." })),
  nobody_to_ask: once((rig) => rig.pass(24 * HOUR)),
  question_timed_out: once((rig) => rig.pass(48 * HOUR), { default: "MIT" }),
  reminded: once((rig) => rig.pass(4 * HOUR)),
  second_person: async () => {
    const rig = await asked(
      {},
      { settings: { escalation: { label: "needs-human", notify: ["oncall", "second"] } } },
    );
    await rig.pass(24 * HOUR);
    return rig;
  },
  which_option: once(async (rig) => tell(rig, await ticked(rig, [1, 2]))),
};
