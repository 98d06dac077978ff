import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { parseDuration } from "../../domain/settings/duration.ts";
import { systemClock } from "../../server/system-clock.ts";
import { printed } from "../ask.ts";
import type { CommandContext } from "../command.ts";
import { type ControlAnswer, control } from "../control-client.ts";
import { dataDirectory } from "../data-directory.ts";
import { working } from "../progress.ts";
import { refused } from "../refused.ts";
import { statesTyped, WAITED_FOR } from "../state-words.ts";
import { whileWaiting } from "../while-waiting.ts";

const DEFAULT_TIMEOUT = "10m";
/** The pause before asking a serving process again that answered once and cannot be reached now. */
const AGAIN_MS = 1000;

const waited = z.object({ agent: z.string(), reached: z.boolean(), state: z.string(), session: z.string() });

/** Implements `flotilla agents wait`. A restart of the serving process does not end the wait. */
export async function waitFor(context: CommandContext): Promise<number> {
  const { args, options } = context;
  const [, agent, ...more] = args;
  const states = options["for"];
  const timeout = options["timeout"] ?? DEFAULT_TIMEOUT;
  const withinMs = typeof timeout === "string" ? parseDuration(timeout) : undefined;
  if (agent === undefined || more.length > 0 || typeof states !== "string" || withinMs === undefined) {
    return refused(
      context,
      "Run `flotilla agents wait <agent> --for COMPLETED[,ESCALATED] [--timeout 10m]`.",
    );
  }
  const typed = statesTyped(states.split(","), WAITED_FOR);
  if ("unknown" in typed) return refused(context, typed.unknown);
  const what = `${agent} is to be ${typed.states.join(" or ")}`;
  const asking = working(what, (progress) =>
    whileWaiting(
      asked(dataDirectory(context), { agent, states: typed.states }, systemClock.now() + withinMs),
      progress,
      { what, withinMs, clock: systemClock },
    ),
  );
  const code = await printed(context, asking, (answer) => {
    const seen = waited.parse(answer);
    const rest = seen.reached ? "" : " and will not change any more";
    return `${seen.agent} is ${seen.state} (${seen.session})${rest}.`;
  });
  return code === 0 && !waited.parse((await asking).body).reached ? 1 : code;
}

/** Waits in the serving process; while that is unreachable, asks again for the rest of the time. */
async function asked(
  dataDir: string,
  wanted: { readonly agent: string; readonly states: readonly string[] },
  until: number,
): Promise<ControlAnswer> {
  // The first request fails at once if nothing is serving: only a process that has answered is waited for.
  await control(dataDir, "/agents/wait", { ...wanted, within_ms: 0 });
  for (;;) {
    const left = Math.max(0, until - systemClock.now());
    try {
      return await control(dataDir, "/agents/wait", { ...wanted, within_ms: left });
    } catch (error) {
      if (left === 0) throw error;
      await pause(Math.min(AGAIN_MS, left));
    }
  }
}
