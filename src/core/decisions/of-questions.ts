import type { RuleWords } from "./rule-words.ts";

/** What became of a question that an agent asked people. */
export const OF_QUESTIONS = {
  no_answer: { what: "no answer in it", next: "say `/flotilla answer <number or text>`" },
  no_box_ticked: { what: "no box ticked", next: "tick the box of one option, or reply" },
  no_question: { what: "no open question", next: "nothing: nobody waits for an answer here" },
  nobody_to_ask: { what: "not asked again", next: "name people in `escalation.notify`, or answer it" },
  question_timed_out: {
    what: "decided by time-out",
    next: "mention the App to say otherwise while the agent is at work",
  },
  reminded: { what: "reminded", next: "answer what is asked" },
  second_person: { what: "somebody else was asked", next: "answer what is asked" },
  which_option: { what: "more than one option", next: "tick exactly one box" },
} as const satisfies Readonly<Record<string, RuleWords>>;
