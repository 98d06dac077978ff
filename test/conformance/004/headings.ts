import type { Heading } from "../headings.ts";

/** Document 004's headings in its order. */
export const HEADINGS_004: readonly Heading[] = [
  ["Agent Lifecycle", { because: "The title; it has no text of its own." }],
  ["State Machine", { by: ["the picture", "the moves"] }],
  ["States", { by: ["the states", "its own tools"] }],
  ["AgentRecord", { by: ["the record of an agent"] }],
  ["Transitions", { by: ["the moves"] }],
  ["CREATED → ACTIVE", { by: ["CREATED → ACTIVE"] }],
  ["ACTIVE → SLEEPING", { by: ["ACTIVE → SLEEPING"] }],
  ["SLEEPING → ACTIVE", { by: ["SLEEPING → ACTIVE"] }],
  ["ACTIVE → COMPLETED", { by: ["ACTIVE → COMPLETED", "where it disagrees"] }],
  ["ACTIVE → FAILED", { by: ["ACTIVE → FAILED", "where it disagrees"] }],
  ["ACTIVE → ESCALATED", { by: ["ACTIVE → ESCALATED", "a wake after the answer"] }],
  ["Lifecycle Types", { by: ["the kinds of roles"] }],
  ["Circuit Breakers", { by: ["the breakers", "where it disagrees"] }],
];
