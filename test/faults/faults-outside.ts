import type { Fault } from "./fault.ts";

/** Of the webhooks, the disk under them, and GitHub. */
export const FAULTS_OUTSIDE: readonly Fault[] = [
  {
    id: "F1",
    what: "kill -9 between the commit and the answer to a webhook",
    shown: [
      ["test/adapters/store/durability.test.ts", "a process killed at any moment loses nothing"],
      ["test/power-loss/kills.test.ts", "kills at any moment under load lose nothing"],
      ["test/adapters/store/durability.test.ts", "taken twice across a crash stands in the inbox once"],
    ],
  },
  {
    id: "F2",
    what: "kill -9 between insert and commit",
    shown: [["test/adapters/store/inbox-journal.test.ts", "of which a crash left any part is nothing"]],
  },
  {
    id: "F3",
    what: "power loss",
    shown: [
      ["test/power-loss/power-loss.test.ts", "when the power goes nothing is lost that was acknowledged"],
    ],
  },
  {
    id: "F4",
    what: "the disk is full",
    shown: [
      ["test/adapters/store/immediate-dialect.test.ts", "a full disk is told as such"],
      ["test/webhooks/webhook-route.test.ts", "answers 503 when the database cannot commit"],
    ],
  },
  {
    id: "F5",
    what: "another program holds the database",
    shown: [
      [
        "test/adapters/store/durability.test.ts",
        "webhooks are taken while another program holds the database",
      ],
    ],
  },
  {
    id: "F6",
    what: "the disk can only be read",
    shown: [["test/webhooks/webhook-route.test.ts", "answers 503 when the database cannot commit"]],
  },
  {
    id: "F7",
    what: "a body of 25 MB and more, a slow sender, a packed body",
    shown: [
      ["test/webhooks/webhook-route.test.ts", "over the real cap of 25 MiB"],
      ["test/webhooks/webhook-route.test.ts", "counts what arrives"],
      ["test/webhooks/webhook-route.test.ts", "takes JSON and nothing else"],
    ],
    not: "a sender that trickles is cut off by node:http itself after 30 s (`requestTimeout`)",
  },
  {
    id: "F8",
    what: "bytes that are no UTF-8, headers twice, a signature of another length",
    shown: [
      ["test/webhooks/webhook-route.test.ts", "signed bytes that are not UTF-8"],
      ["test/webhooks/webhook-route.test.ts", "answers 401 to %s and stores nothing"],
    ],
  },
  {
    id: "F9",
    what: "the same webhook a hundred times at once",
    shown: [["test/faults/at-once.test.ts", "a hundred times at once"]],
  },
  {
    id: "F10",
    what: "webhooks in the reverse order, hours late",
    shown: [["test/journeys/disorder.test.ts", "concurrent ones in random order"]],
  },
  {
    id: "F11",
    what: "a webhook that is never delivered",
    shown: [
      ["test/webhooks/sweeper.test.ts", "asks at the start for what was missed"],
      ["test/engine/kernel/missed-facts.test.ts", "finds that the issue was closed"],
    ],
  },
  {
    id: "F12",
    what: "delivered again after 2.9 and after 3.1 days",
    shown: [
      ["test/domain/backfill/missed-deliveries.test.ts", "looks back three days at most"],
      ["test/webhooks/sweeper.test.ts", "read again after more than three days"],
    ],
  },
  {
    id: "F13",
    what: "an unknown event or action, fields that are null",
    shown: [["test/journeys/recorded-payloads.test.ts", "ends as done, or as ignored with a reason"]],
  },
  {
    id: "F14",
    what: "the secret is changed in mid-stream",
    shown: [["test/faults/at-once.test.ts", "signed with the old and with the new secret"]],
  },
  {
    id: "F15",
    what: "GitHub answers 502 after it did what it was told",
    shown: [["test/contracts/github-comments.ts", "is there once when the answer to it was lost"]],
  },
  {
    id: "F16",
    what: "the connection is reset after GitHub did what it was told",
    shown: [
      ["test/adapters/github/lost-answers.test.ts", "is a lost connection, after which a write is uncertain"],
    ],
  },
  {
    id: "F17",
    what: "no answer in time, and the write is done later",
    shown: [["test/adapters/github/lost-answers.test.ts", "is given up after ten seconds when it hangs"]],
  },
  {
    id: "F18",
    what: "a limit of GitHub's",
    shown: [
      ["test/adapters/github/client.test.ts", "keeps the whole installation still until it is over"],
      ["test/adapters/github/storm.test.ts", "meets no limit of GitHub's"],
    ],
  },
  {
    id: "F19",
    what: "a token expires, an installation is suspended or removed",
    shown: [
      ["test/adapters/github/client.test.ts", "gets a new token once when GitHub refuses the old one"],
      ["test/journeys/kept-and-caught.test.ts", "while the installation is suspended"],
    ],
  },
  {
    id: "F20",
    what: "an issue is transferred or deleted, a repository renamed, its default branch another",
    shown: [
      ["test/webhooks/events/issues.test.ts", "issues.deleted and issues.transferred"],
      ["test/journeys/kept-and-caught.test.ts", "follows a renamed repository"],
      ["test/adapters/git/server-answers.test.ts", "knows the repository by a new name"],
    ],
    not: "each webhook carries the default branch, and the next look goes by it: a change alone does nothing",
  },
  {
    id: "F21",
    what: "a list lags behind a write",
    shown: [["test/engine/recovery/second-look.test.ts", "looks a second time, half a minute later"]],
  },
  {
    id: "F22",
    what: "a pull request that exists, a branch that is deleted or protected",
    shown: [
      ["test/contracts/github-pull-requests.ts", "is there once when the answer was lost"],
      ["test/adapters/git/server-answers.test.ts", "protects the branch, its reason is told"],
      ["test/adapters/git/archive.test.ts", "whose branch a person has deleted since"],
    ],
  },
  {
    id: "F23",
    what: "GitHub is down for two hours, or comes and goes",
    shown: [
      ["test/faults/github-down.test.ts", "down for two hours"],
      ["test/faults/github-down.test.ts", "ten seconds of every twenty"],
    ],
  },
];
