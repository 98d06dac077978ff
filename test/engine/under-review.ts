import { createHash } from "node:crypto";
import { lineOf } from "../../src/domain/agents/agent-record.ts";
import { type Move, NO_CHANGES } from "../../src/domain/kernel/change-set.ts";
import { advance } from "../../src/engine/kernel/advance.ts";
import { HOUR } from "../factories/moment.ts";
import { byHand } from "../reach/record.ts";
import { taskOf } from "./look.ts";
import { labeled, tell } from "./people.ts";
import { REPOSITORY, type Rig } from "./rig.ts";

/** Up for review without a model that did it: for rigs in which nothing starts. Returns the commit. */
export async function putUpForReview(rig: Rig, issue: number, name: string): Promise<string> {
  const commit = createHash("sha1").update(`${issue} ${name}`).digest("hex");
  if ((await taskOf(rig, issue)) === undefined) await tell(rig, labeled(rig, issue));
  const task = await taskOf(rig, issue);
  const agent = (await rig.store.records.find("agent", { repositoryId: REPOSITORY.id, issue })).at(-1);
  if (task === undefined || agent === undefined) throw new Error(`nobody works on #${issue}`);
  const base = { at: rig.clock.now(), actor: "flotilla" };
  const taking = {
    ...base,
    agentId: agent.id,
    line: lineOf(agent),
    worktree: agent.name,
    leaseUntil: base.at + HOUR,
  };
  const claim: Move =
    task.state === "REJECTED"
      ? { machine: "task", id: task.id, event: { ...taking, type: "RECLAIM", maxCycles: 5 } }
      : { machine: "task", id: task.id, event: { ...taking, type: "CLAIM", openBlockers: [] } };
  const moves: readonly Move[] = [
    claim,
    { machine: "task", id: task.id, event: { ...base, type: "REQUEST_REVIEW", commit } },
    {
      machine: "agent",
      id: agent.id,
      event: { ...base, type: "COMPLETE", cause: "person", summary: "as it is" },
    },
  ];
  await byHand(() =>
    advance(rig.context, {
      at: base.at,
      repositoryId: REPOSITORY.id,
      issue,
      delivery: null,
      name: `up-${commit}`,
      changes: { ...NO_CHANGES, moves },
    }),
  );
  await rig.idle();
  return commit;
}
