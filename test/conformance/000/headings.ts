import type { Heading } from "../headings.ts";

/** The headings of document 000 in their order. */
export const HEADINGS: readonly Heading[] = [
  ["Agent Lifecycle State Machine Specification", { by: ["the states", "the transition table"] }],
  ["Overview", { by: ["the turn limit", "the error codes", "the published events"] }],
  ["State Diagram", { by: ["the transition table", "the matrix"] }],
  ["States", { by: ["the states", "the properties of a state"] }],
  ["State Properties", { by: ["the properties of a state"] }],
  ["Events", { by: ["the events", "the payloads"] }],
  ["Event Type Definitions", { by: ["the payloads", "the audit of tool calls", "the turn limit"] }],
  ["Guards", { by: ["the guards", "the turn limit"] }],
  ["Guard Implementations", { by: ["the guards", "the audit of tool calls"] }],
  ["Actions", { by: ["the actions", "the published events"] }],
  [
    "Action Implementations",
    {
      by: [
        "the actions",
        "the published events",
        "the audit of tool calls",
        "the totals of an agent",
        "the environment of an execution",
      ],
    },
  ],
  ["Transition Table", { by: ["the transition table"] }],
  ["Transition Validation Matrix", { by: ["the matrix"] }],
  ["XState Machine Configuration", { by: ["the matrix"] }],
  ["Error Integration", { by: ["the error codes"] }],
  ["Error Handling Flow", { by: ["the error codes", "the audit of tool calls", "the turn limit"] }],
  ["Agent Events (Durable Streams)", { by: ["the published events"] }],
  ["Wireframe References", { by: ["the drawings of its screens"] }],
  ["Turn Limit Handling", { by: ["the turn limit"] }],
  ["Configuration", { by: ["the turn limit"] }],
  ["Turn Limit Reached Behavior", { by: ["the turn limit", "the published events"] }],
  ["Testing", { by: ["its own tests"] }],
  ["Unit Tests", { by: ["its own tests"] }],
  [
    "Cross-References",
    { because: "It points at other papers of another program, which are no sources here." },
  ],
];
