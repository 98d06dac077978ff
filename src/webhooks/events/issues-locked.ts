import { z } from "zod";
import { issueShape } from "../payload.ts";
import { parser, type WebhookParser } from "./parsing.ts";

const lock = (locked: boolean): WebhookParser =>
  parser(z.object({ issue: issueShape }), async ({ issue }, { base, mayAsk }) => ({
    ...base,
    permitted: await mayAsk(base.repository, base.actor),
    type: "issue_locked",
    issue,
    locked,
  }));

export const issuesLocked = lock(true);
export const issuesUnlocked = lock(false);
