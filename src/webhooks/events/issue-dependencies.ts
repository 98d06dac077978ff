import { z } from "zod";
import { fullName } from "../../domain/kernel/repository.ts";
import { issueShape, repositoryShape } from "../payload.ts";
import { parser } from "./parsing.ts";

const otherRepository = repositoryShape.transform(({ owner, name }) =>
  fullName({ owner: owner.login, name }),
);

const dependency = z.object({
  blocked_issue: issueShape,
  blocking_issue: issueShape,
  blocking_issue_repo: otherRepository,
});

/** The blocked issue's side; the webhook of the blocking issue's side says the same of the same act. */
const blockerChanged = (added: boolean) =>
  parser(dependency, async (fields, { base, own, mayAsk }) => ({
    ...base,
    permitted: await mayAsk(base.repository, base.actor),
    type: "blocker_changed",
    issue: fields.blocked_issue,
    blocker: { repository: fields.blocking_issue_repo, number: fields.blocking_issue.number },
    added,
    own,
  }));

export const blockedByAdded = blockerChanged(true);
export const blockedByRemoved = blockerChanged(false);

const part = z.object({ parent_issue: issueShape, sub_issue: issueShape, sub_issue_repo: otherRepository });

/** The parent's side, for the same reason. */
const partChanged = (added: boolean) =>
  parser(part, async (fields, { base, mayAsk }) => ({
    ...base,
    permitted: await mayAsk(base.repository, base.actor),
    type: "part_changed",
    issue: fields.parent_issue,
    part: { repository: fields.sub_issue_repo, number: fields.sub_issue.number },
    added,
  }));

export const subIssueAdded = partChanged(true);
export const subIssueRemoved = partChanged(false);
