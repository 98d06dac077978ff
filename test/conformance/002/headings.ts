import type { Heading } from "../headings.ts";

/** Document 002's headings in its order. */
export const HEADINGS_002: readonly Heading[] = [
  [
    "Agent State Machine",
    { because: "The title, with a version and the documents it depends on; no fact of its own." },
  ],
  ["Table of Contents", { because: "Names the sections below, which are each listed here themselves." }],
  ["Overview", { because: "Holds only the two sections that follow it, each listed here." }],
  ["What is an Agent State Machine?", { by: ["the states", "the matrix of transitions", "the events"] }],
  [
    "Current vs Target",
    {
      by: ["the states", "the waits in the running engine", "the job of the example", "recovery", "a retry"],
    },
  ],
  ["Why State Machines?", { because: "Holds only the two sections that follow it, each listed here." }],
  [
    "Problems Without State Machines",
    { by: ["recovery", "the words for people", "the waits in the running engine"] },
  ],
  ["Benefits of State Machines", { by: ["the history", "an invalid move", "recovery", "the status query"] }],
  ["State Definitions", { by: ["the states"] }],
  ["Universal Agent States", { by: ["the states"] }],
  ["State Descriptions", { by: ["the table of states", "how long a state lasts", "the words for people"] }],
  ["State Transitions", { by: ["the matrix of transitions", "the events"] }],
  ["Valid Transition Matrix", { by: ["the matrix of transitions"] }],
  [
    "Transition Events",
    { by: ["the events", "the payloads of the events", "what an event leaves in the record"] },
  ],
  ["Implementation", { by: ["the matrix of transitions", "the events", "the fields of the records"] }],
  [
    "File: agent-state",
    {
      by: [
        "a RESUME without a remembered state",
        "the fields of the records",
        "what an event leaves in the record",
        "the history",
        "an invalid move",
        "recovery",
        "the states",
        "the words for people",
      ],
    },
  ],
  ["Database Schema", { by: ["the fields of the records", "the table and its indexes"] }],
  ["File: agent-states", { by: ["the fields of the records", "the table and its indexes"] }],
  ["Integration with Existing Code", { by: ["the job of the example", "the status query"] }],
  [
    "Modifying Agent Jobs to Use State Machine",
    { by: ["the job of the example", "what a result needs", "recovery"] },
  ],
  ["Querying Agent States (for Dashboard/Monitoring)", { by: ["the states", "the status query"] }],
  ["State Visualization", { because: "Holds only the section that follows it, which is listed here." }],
  ["Dashboard Component", { by: ["the status card"] }],
  ["Next Document", { because: "Names the document that follows; no fact of its own." }],
];
