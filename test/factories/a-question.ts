import type { QuestionRow } from "../../src/domain/questions/question.ts";
import { AT, HOUR } from "./moment.ts";

/** Builds the question that agent 11 asked alice an hour ago in comment 800. MIT is recommended; two days are left. */
export function aQuestion(overrides: Partial<QuestionRow> = {}): QuestionRow {
  return {
    id: 5,
    agentId: 11,
    state: "OPEN",
    text: "Which licence shall it have?",
    options: [
      { name: "MIT", destructive: false },
      { name: "GPL 3", destructive: false },
      { name: "None at all", destructive: true },
    ],
    recommended: "MIT",
    defaultOption: null,
    deadlineAt: AT + 47 * HOUR,
    askedOf: ["alice"],
    commentId: 800,
    answer: null,
    answeredBy: null,
    via: null,
    answeredAt: null,
    remindedAt: null,
    secondAskedAt: null,
    createdAt: AT - HOUR,
    ...overrides,
  };
}
