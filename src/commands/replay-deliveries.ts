import { z } from "zod";
import { ask, operator } from "./ask.ts";
import type { CommandContext } from "./command.ts";
import { control } from "./control-client.ts";
import { dataDirectory, reading } from "./data-directory.ts";
import { working } from "./progress.ts";
import { refused } from "./refused.ts";

/** More dead ones than that are handed in by asking again. */
const AT_ONCE = 1000;

const refusal = z.object({ error: z.looseObject({ code: z.string(), message: z.string() }) });

/** `flotilla deliveries replay`: one delivery, several, or with `--state dead` all that are dead, oldest first. */
export async function replayAll(
  context: CommandContext,
  state: string | undefined,
  given: readonly string[],
): Promise<number> {
  if ((state !== undefined && state !== "dead") || (state === undefined) === (given.length === 0))
    return refused(
      context,
      "Say `flotilla deliveries replay <guid> …` or `flotilla deliveries replay --state dead`.",
    );
  const [only] = given;
  if (given.length === 1 && only !== undefined)
    return ask(context, pathOf(only), { by: operator() }, () => `${only} is handled again.`);
  const guids = state === undefined ? given : await deadOnes(context);
  const dataDir = dataDirectory(context);
  const replayed: string[] = [];
  const failed: { readonly guid: string; readonly message: string }[] = [];
  await working("deliveries are handed in", async ({ show }) => {
    for (const [index, guid] of guids.entries()) {
      show("deliveries are handed in", index, guids.length);
      const { status, body } = await control(dataDir, pathOf(guid), { by: operator() });
      if (status === 200) replayed.push(guid);
      else failed.push({ guid, message: refusal.parse(body).error.message });
    }
  });
  if (context.options["json"] === true) context.print(JSON.stringify({ replayed, refused: failed }));
  else {
    for (const { guid, message } of failed) context.print(`${guid}: ${message}`);
    context.print(`${replayed.length} of ${guids.length} deliveries are handled again.`);
  }
  return failed.length === 0 ? 0 : 1;
}

async function deadOnes(context: CommandContext): Promise<readonly string[]> {
  const rows = await reading(context, (store) => store.deliveries.list({ state: "dead" }, AT_ONCE));
  return rows.toReversed().map(({ guid }) => guid);
}

function pathOf(guid: string): string {
  return `/deliveries/${encodeURIComponent(guid)}/replay`;
}
