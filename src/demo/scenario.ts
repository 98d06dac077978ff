import { z } from "zod";
import { scriptSchema } from "./model/script.ts";

const as = z.string().describe("login of the person who acts");
const issue = z.int().positive();

/** An act of a person in the scenario, or a state to wait for. */
const act = z.union([
  z.strictObject({
    open: z.strictObject({
      as,
      title: z.string(),
      body: z.string(),
      labels: z.array(z.string()).default([]),
    }),
  }),
  z.strictObject({
    wait: z.strictObject({
      issue,
      role: z.string(),
      state: z.string(),
      seconds: z.number().positive().default(120),
    }),
  }),
  z.strictObject({
    quote: z
      .strictObject({ issue, match: z.string() })
      .describe("shows the first line of the App's comment that matches"),
  }),
  z.strictObject({ comment: z.strictObject({ as, issue, body: z.string() }) }),
  z.strictObject({ label: z.strictObject({ as, issue, name: z.string() }) }),
  z.strictObject({ unlabel: z.strictObject({ as, issue, name: z.string() }) }),
  z.strictObject({ close: z.strictObject({ as, issue }) }),
  z.strictObject({ assign: z.strictObject({ as, issue, to: z.string() }) }),
  z.strictObject({
    merge: z.strictObject({ as, issue }).describe("merges the pull request of the issue's agent"),
  }),
]);

/** A scenario: a repository, its people, what the model says, and what happens, in order. */
export const scenarioSchema = z.strictObject({
  title: z.string(),
  repository: z.strictObject({
    name: z.string().regex(/^[A-Za-z0-9._-]+$/),
    files: z.record(z.string(), z.string()),
    labels: z.array(z.string()).default([]),
  }),
  people: z.record(z.string(), z.enum(["admin", "maintain", "write", "triage", "read", "none"])),
  /** Keys of config.yaml, such as circuit_breakers, in addition to those that the demo sets. */
  config: z.record(z.string(), z.unknown()).default({}),
  model: scriptSchema,
  story: z.array(act),
});

export type Scenario = z.infer<typeof scenarioSchema>;
export type Act = Scenario["story"][number];
