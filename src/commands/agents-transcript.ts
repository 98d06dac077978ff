import type { OperationFault } from "../core/operation-fault.ts";
import type { RunEventRow } from "../core/rows.ts";
import { transcript } from "../core/text/transcript.ts";
import { findAgent } from "../dashboard/find-agent.ts";
import { runEventJson } from "../dashboard/json.ts";
import { faultOfUnknown } from "../engine/operations/reach.ts";
import type { ReadOnlyStore } from "../store/open-read-only.ts";
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
  const found = await reading(context, (store) => read(store, key));
  if ("fault" in found) {
    return refusedBy(context, found.fault);
  }
  const { agent, repository, rows } = found;
  if (json) for (const row of rows) print(JSON.stringify(runEventJson(row, agent, repository)));
  else for (const line of transcript(rows)) print(line);
  return 0;
}

async function read(store: ReadOnlyStore, key: string) {
  const agent = await findAgent(store, key);
  if (agent === undefined) {
    const fault: OperationFault = await faultOfUnknown(store, key);
    return { fault };
  }
  const repository = await store.repositories.get(agent.repositoryId);
  const rows: RunEventRow[] = [];
  for (let page = -1; page !== 0; ) {
    const next = await store.runEvents.after(rows.at(-1)?.id ?? 0, { limit: PAGE, agentId: agent.id });
    rows.push(...next);
    page = next.length;
  }
  return { agent, repository, rows };
}
