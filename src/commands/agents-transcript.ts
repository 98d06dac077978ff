import type { RunEventRow } from "../core/rows.ts";
import { transcript } from "../core/text/transcript.ts";
import { findAgent } from "../dashboard/find-agent.ts";
import { runEventJson } from "../dashboard/json.ts";
import { faultOfUnknown } from "../engine/operations/reach.ts";
import type { CommandContext } from "./command.ts";
import { reading } from "./data-directory.ts";
import { refused, refusedBy } from "./refused.ts";

/** Rows read at once. */
const PAGE = 1000;

/** `flotilla agents transcript <agent>`: all that is kept of what it did, the oldest first. */
export async function showTranscript(context: CommandContext): Promise<number> {
  const { args, options, print } = context;
  const [, key, ...more] = args;
  if (key === undefined || more.length > 0) {
    return refused(
      context,
      "Say `flotilla agents transcript <agent>`.",
      "`flotilla agents list` shows their names.",
    );
  }
  const json = options["json"] === true;
  const fault = await reading(context, async (store) => {
    const agent = await findAgent(store, key);
    if (agent === undefined) return faultOfUnknown(store, key);
    const repository = await store.repositories.get(agent.repositoryId);
    let begun: readonly RunEventRow[] = [];
    for (let last = 0; ; ) {
      const page = await store.runEvents.after(last, { limit: PAGE, agentId: agent.id });
      const isLast = page.length < PAGE;
      const rows = [...begun, ...page];
      // What is said in pieces is one line, although a page may end within it.
      const whole = isLast
        ? rows.length
        : rows.findLastIndex(({ event }) => event.type !== "stream:token") + 1;
      if (json) for (const row of page) print(JSON.stringify(runEventJson(row, agent, repository)));
      else for (const line of transcript(rows.slice(0, whole))) print(line);
      begun = rows.slice(whole);
      last = page.at(-1)?.id ?? last;
      if (isLast || (context.drained !== undefined && !(await context.drained()))) return null;
    }
  });
  return fault === null ? 0 : refusedBy(context, fault);
}
