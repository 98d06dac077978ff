import { readFileSync } from "node:fs";
import { z } from "zod";
import { builtinTools } from "../../../src/adapters/runtimes/copilot/builtin-tools.ts";
import { newActivity, recordEvent, shiftDeadlines } from "../../../src/domain/breakers/activity.ts";
import {
  afterProbe,
  type Liveness,
  probeDue,
  type Verdict,
  WELL,
} from "../../../src/domain/breakers/liveness.ts";
import type { RuntimeEvent } from "../../../src/domain/ports/agent-runtime.ts";

const EVENT = z.union([
  z.tuple([z.number(), z.enum(["turn", "turn_end", "message", "tokens", "compacting", "file", "idle"])]),
  z.tuple([z.number(), z.literal("call"), z.string(), z.string(), z.record(z.string(), z.unknown())]),
  z.tuple([z.number(), z.literal("done"), z.string()]),
]);

/** One exchange, as it went. All times are seconds since its message was sent. */
const TRACE = z.strictObject({
  name: z.string(),
  events: z.array(EVENT),
  until: z.number(),
  /** The process is gone from here on. */
  exits: z.number().optional(),
  /** The process exists, and answers nothing from .. to. */
  silent: z.array(z.tuple([z.number(), z.number()])).default([]),
  /** Since when it is hung or dead in truth. */
  since: z.number().optional(),
  /** Verdict that is wanted, where it is not the one of its class. */
  want: z.enum(["tool"]).optional(),
  /** The host stood still from .. to. */
  leap: z.tuple([z.number(), z.number()]).optional(),
});
export type LifeTrace = z.infer<typeof TRACE>;

export function lifeTraces(label: "alive" | "hung" | "dead"): readonly LifeTrace[] {
  const file = new URL(`../../fixtures/traces/liveness/${label}.json`, import.meta.url);
  return z.array(TRACE).parse(JSON.parse(readFileSync(file, "utf8")));
}

/** The detector, looking every `tick` seconds; the first verdict, if it comes to one. */
export function replayLife(
  trace: LifeTrace,
  tick = 10,
): { verdict: Verdict | null; suspectAt: number | null } {
  let activity = newActivity(0);
  let liveness: Liveness = WELL;
  let suspectAt: number | null = null;
  let stirredSinceLook = false;
  const left = [...trace.events];
  for (let now = 0; now <= trace.until; now += tick) {
    if (trace.leap !== undefined && now > trace.leap[0] && now < trace.leap[1]) continue;
    if (trace.leap !== undefined && now - tick < trace.leap[1] && now >= trace.leap[1])
      activity = shiftDeadlines(activity, now * 1000, (trace.leap[1] - trace.leap[0]) * 1000);
    for (let next = left[0]; next !== undefined && next[0] <= now; next = left[0]) {
      left.shift();
      if (next[1] === "idle") return { verdict: null, suspectAt };
      if (next[1] === "file") stirredSinceLook = true;
      else activity = recordEvent(activity, eventOf(next), next[0] * 1000, builtinTools);
    }
    if (!probeDue(liveness, activity, now * 1000)) continue;
    suspectAt ??= now;
    const process = trace.exits === undefined || now < trace.exits;
    const answered = process && !trace.silent.some(([from, to]) => from <= now && now <= to);
    const probe = { at: now * 1000, process, answered, changed: stirredSinceLook };
    stirredSinceLook = false;
    ({ liveness, activity } = afterProbe(liveness, activity, probe));
    if (liveness.state === "judged") return { verdict: liveness.verdict, suspectAt };
  }
  return { verdict: null, suspectAt };
}

function eventOf(written: LifeTrace["events"][number]): RuntimeEvent {
  switch (written[1]) {
    case "call":
      return { type: "tool_started", toolCallId: written[2], toolName: written[3], args: written[4] };
    case "done":
      return { type: "tool_ended", toolCallId: written[2], ok: true, denied: false, output: "" };
    case "turn":
      return { type: "turn_started", turnId: "0" };
    case "message":
      return { type: "message", text: "Hm." };
    case "turn_end":
      return { type: "turn_ended", turnId: "0" };
    default:
      return { type: "sign", of: "model" };
  }
}
