import { z } from "zod";
import { RUN_EVENT_TYPES } from "../../../domain/kernel/run-event.ts";
import { agentKey, count, issue, page, pageById, repository, text, time, timeOrNull } from "./fields.ts";

export const transition = z.strictObject({
  id: count(),
  at: time(),
  machine: text(),
  agent: text().nullable().describe("The agent's name in its repository."),
  role: text().nullable(),
  issue: issue(),
  actor: text(),
  event: text(),
  from: text(),
  to: text(),
  reason: text().nullable(),
  delivery: text().nullable().describe("The webhook that caused it."),
});

export const decision = z.strictObject({
  at: time(),
  issue: issue().nullable(),
  rule: text().describe("docs/decisions.md explains each."),
  what: text(),
  reason: text(),
  change: text().nullable(),
  next: text().nullable().describe("What a person can do; null if nobody has to do anything."),
  inputs: z.unknown().describe("What was known then."),
  count: count(),
  last_at: time(),
  delivery: text().nullable(),
});

export const effect = z.strictObject({
  id: count(),
  kind: text(),
  what: text().describe("What it does, in words."),
  repository: repository(),
  issue: issue(),
  agent: agentKey().nullable(),
  state: text(),
  attempts: count(),
  uncertain: z.boolean().describe("An earlier attempt may have been carried out."),
  error: text().nullable(),
  why: text().nullable().describe("Why it failed for good, in plain words; null unless it did."),
  next: text().nullable().describe("What a person can do about that."),
  created_at: time(),
  not_before: timeOrNull(),
  settled_at: timeOrNull(),
});

export const delivery = z.strictObject({
  guid: text(),
  event: text(),
  action: text().nullable(),
  state: z.enum(["pending", "claimed", "done", "ignored", "dead"]),
  attempts: count(),
  note: text().nullable(),
  why: text().nullable().describe("Why it could not be handled, in plain words; null unless that is so."),
  next: text().nullable().describe("What a person can do about that."),
  received_at: time(),
  settled_at: timeOrNull(),
});

export const runEvent = z.strictObject({
  id: count(),
  type: z.enum(RUN_EVENT_TYPES),
  at: time(),
  agent: agentKey().nullable(),
  repository: repository(),
  issue: issue(),
  run: count().nullable(),
  turn: count().nullable(),
  data: z
    .record(z.string(), z.unknown())
    .describe("Fields of this type of event. Texts in it are by models, tools and people."),
});

export const transitionsOfAgentAnswer = page({ transitions: z.array(transition) });
export const transitionsAnswer = pageById({ transitions: z.array(transition) });
export const transcriptAnswer = pageById({ transcript: z.array(runEvent) });
export const decisionsAnswer = page({ decisions: z.array(decision) });
export const effectsAnswer = page({ effects: z.array(effect) });
export const deliveriesAnswer = page({ deliveries: z.array(delivery) });
