import type { EventName } from "../../../src/webhooks/events/table.ts";
import { aRole, REVIEWER } from "../../factories/a-role.ts";
import { anAgent } from "../../factories/records.ts";
import { rolesOf, someSettings } from "../../factories/some-settings.ts";
import { person } from "../../fakes/github-world.ts";
import { atWork, pullIn, record, type Scene } from "./scene.ts";

const { review } = someSettings();
const reviewing = {
  settings: someSettings({ roles: rolesOf(aRole(), REVIEWER), review: { ...review, people: "opened" } }),
};

/** Ada's pull request from a fork into the default branch. */
function theirs(more: object = {}) {
  const { pull_request: pull } = pullIn("pull_request.closed", { ref: "json", sha: "a".repeat(40) });
  return {
    pull_request: {
      ...record(pull),
      number: 51,
      user: person("ada"),
      state: "open",
      merged: false,
      merged_at: null,
      draft: false,
      base: { ref: "main" },
      head: { ref: "json", sha: "a".repeat(40), repo: { id: 78, full_name: "ada/shop" } },
      ...more,
    },
  };
}

const asks = (event: EventName, what: string, happened: string, more: object = {}): Scene => ({
  event,
  what,
  rule: "steers",
  own: false,
  payload: () => ({ ...theirs(), ...more }),
  reads: { type: "persons_pull", happened, issue: { number: 51 }, theirs: { headRef: "json" } },
  view: reviewing,
});

const passedOver = (event: EventName, what: string, pull: object, more: object = {}): Scene => ({
  event,
  what,
  rule: "nothing",
  payload: () => ({ ...theirs(pull), ...more }),
  reads: { ignored: "`review.people` asks for no review of #51 now" },
  view: reviewing,
});

/** What happens to a pull request of a person. */
export const OF_PULLS: readonly Scene[] = [
  asks("pull_request.opened", "a person's", "opened"),
  asks("pull_request.reopened", "a person's", "opened"),
  asks("pull_request.synchronize", "a person's", "pushed"),
  asks("pull_request.ready_for_review", "a person's", "ready"),
  asks("pull_request.labeled", "a person's, with the label for reviews", "labeled", {
    label: { name: review.label },
  }),
  passedOver("pull_request.opened", "a person's draft", { draft: true }),
  passedOver("pull_request.reopened", "a person's draft", { draft: true }),
  passedOver("pull_request.labeled", "a person's, with another label", {}, { label: { name: "fun" } }),
  {
    event: "pull_request.unlabeled",
    what: "a person's, on which an agent needs a person",
    rule: "steers",
    own: false,
    payload: () => ({ ...theirs(), label: { name: "needs-human" } }),
    reads: { type: "issue_unlabeled", issue: { number: 51 }, label: "needs-human" },
    view: { agents: [anAgent({ repositoryId: 77, state: "ESCALATED" })] },
  },
  {
    event: "pull_request.unlabeled",
    what: "a person's, with another label",
    rule: "nothing",
    payload: () => ({ ...theirs(), label: { name: "fun" } }),
    reads: { ignored: "the label fun says nothing of an agent" },
    view: reviewing,
  },
  {
    event: "pull_request.opened",
    what: "ours",
    rule: "nothing",
    payload: () =>
      pullIn("pull_request.closed", { sha: "a".repeat(40), repo: { id: 77, full_name: "octo/shop" } }),
    reads: { ignored: "#50 is a pull request of ours" },
    view: reviewing,
  },
  {
    event: "pull_request.closed",
    what: "a person's",
    rule: "fact",
    own: false,
    payload: () => theirs({ state: "closed" }),
    reads: { type: "persons_pull", happened: "closed", issue: { number: 51, state: "closed" } },
    view: atWork,
  },
];
