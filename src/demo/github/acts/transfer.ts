import { renderIssue } from "../render/issue.ts";
import { renderRepository } from "../render/repository.ts";
import type { Account, Issue, Repository } from "../world/records.ts";
import type { World } from "../world/world.ts";
import { emitIssue } from "./emit.ts";
import { addIssue } from "./issues.ts";

/** Moves an issue to another repository: emits `transferred` here and `opened` there. Labels are not moved. */
export function transferIssue(
  world: World,
  from: Repository,
  to: Repository,
  sender: Account,
  issue: Issue,
): Issue {
  const { author, viaApp, title, body } = issue;
  const moved = addIssue(world, to, { author, viaApp, title, body, pull: null });
  const old = {
    old_issue: renderIssue(world, from, issue),
    old_repository: renderRepository(world, from),
  };
  const changes = { new_issue: renderIssue(world, to, moved), new_repository: renderRepository(world, to) };
  emitIssue(world, from, issue, sender, "transferred", { changes });
  from.issues.delete(issue.number);
  emitIssue(world, to, moved, sender, "opened", { changes: old });
  return moved;
}
