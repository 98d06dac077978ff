import type { Heading } from "../headings.ts";

/** Document 003's headings in its order. */
export const HEADINGS_003: readonly Heading[] = [
  [
    "Agent Lifecycle Model (M10.1)",
    { because: "The title, with a status and a date of another program; no fact of its own." },
  ],
  ["Canonical agent model", { by: ["the record of an agent"] }],
  ["State machine", { by: ["the states", "the diagram", "the arrows"] }],
  ["Transition table", { by: ["the transition table", "a state told again", "where it disagrees"] }],
  ["Operation invariants", { by: ["the operations", "the operations in the engine"] }],
  ["Forged proto mapping", { by: ["the numeric codes", "where it disagrees"] }],
  ["Mode contract: continuous vs one-shot", { by: ["the modes", "the operations in the engine"] }],
  ["Error taxonomy", { by: ["the errors", "the operations"] }],
  ["Edge cases", { by: ["the errors", "an agent that waits for approval", "the record of an agent"] }],
  ["Single state definition usage", { by: ["the states"] }],
];
