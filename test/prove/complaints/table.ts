import type { StoryName } from "./stories.ts";

/** A complaint that people have about systems like Flotilla, and the story that shows what Flotilla does there. */
export interface Complaint {
  readonly number: number;
  /** In one sentence. */
  readonly complaint: string;
  readonly subject: string;
  readonly story: StoryName;
}

type Row = readonly [number: number, story: StoryName, complaint: string];

/** The complaints of each subject. */
const SUBJECTS: Readonly<Record<string, readonly Row[]>> = {
  "Runaway loops and costs": [
    [1, "starts", "The system answers its own comments and those of other bots, and spends money for hours."],
    [2, "starts", "Sessions multiply on one issue and use up GitHub's requests of the hour."],
    [3, "limits", "An agent keeps working on a task that cannot be done, until the quota is used up."],
    [
      4,
      "limits",
      "Nothing limits the calls or the cost of a run: more than a hundred calls in a quarter of an hour.",
    ],
    [5, "review", "Agents argue with one another, and each word costs."],
    [
      6,
      "provider",
      "A run is stuck for a day and a half, and tries a provider again and again that refuses.",
    ],
    [
      7,
      "limits",
      "One prompt uses up a hundred requests of a plan, and a month's budget is gone in minutes.",
    ],
    [8, "limits", "An agent that is provably blocked is continued again and again."],
    [9, "starts", "Work that is finished starts again, because its ticket is still open."],
    [
      10,
      "requests",
      "A sweep reads the same pull requests every two minutes, and uses up all requests of the hour.",
    ],
    [11, "limits", "A run that nears its budget is not wound down, and a person cannot raise the budget."],
    [12, "limits", "Actions, time, tokens and cost cannot be capped."],
    [13, "meter", "There is no budget for costs, and no cheap model for work that needs no dear one."],
    [14, "meter", "Caps are computed from wrong prices, and counters show a fraction of what was used."],
    [15, "limits", "A run that hits its cap by a hair is wasted as a whole."],
  ],
  "Wrong verdicts on what runs": [
    [16, "people", "It is said to wait for a person for many hours after that person has answered."],
    [
      17,
      "crashes",
      "Agents are said to be stuck that work, and dead ones to work; some begin and do nothing.",
    ],
    [18, "crashes", "Healthy workers are killed, and the task of a dead one stays taken for ever."],
    [19, "crashes", "The recovery of stale runs replaces workers that are alive."],
    [20, "crashes", "Tasks are shown as running that nobody works on."],
    [
      21,
      "webhooks",
      "One lost event stalls the work for an hour, and issues stay assigned to agents that are gone.",
    ],
    [
      22,
      "crashes",
      "A failure that cannot be retried keeps its claim, and the issue is skipped until a restart.",
    ],
    [23, "review", "The claim ends when the pull request is opened, and nobody has the issue any more."],
  ],
  "Claims that are not true": [
    [24, "claims", "An agent says that it is done, and has done nothing."],
    [25, "claims", "An agent says that conflicts are resolved, and they are not."],
    [26, "claims", "A comment announces success after the push has failed."],
    [
      27,
      "claims",
      "The outcome that is shown is not the real one: a pull request is missing, or goes to the wrong branch.",
    ],
    [28, "claims", "There is no pull request, only a link or a branch."],
    [29, "claims", "Nobody can see which commands were run, on which commit, and how they ended."],
    [
      30,
      "claims",
      "A pull request without the closing words is merged, its issue stays open and is worked on again.",
    ],
  ],
  "Lost work": [
    [31, "crashes", "An error while the tracker is read throws away a worktree with changes."],
    [32, "crashes", "The sandbox is recreated, and uncommitted work is lost."],
    [33, "crashes", "Cleaning up deletes worktrees that somebody still needs."],
    [34, "conflicts", "An agent takes back what a reviewer had asked for, on a branch that a person shares."],
    [35, "conflicts", "A bot's push overwrites the commits of people."],
    [36, "claims", "Agents force a push, whatever they are told."],
    [37, "crashes", "After a restart the agent begins without its conversation."],
    [38, "crashes", "After a restart all state is gone."],
  ],
  Silence: [
    [39, "starts", "Work is not started, and nobody says why."],
    [40, "notices", "A chat refuses a message, and nobody learns of it."],
    [41, "limits", "A limit stops the work without telling anyone."],
    [42, "starts", "No command says why nothing happens on an issue."],
    [43, "provider", "It is rate limited, and does not say until when."],
  ],
  "Duplicate work": [
    [44, "starts", "Three agents make three pull requests for one issue."],
    [45, "starts", "Labels are used as locks, and two agents take one issue."],
    [46, "starts", "An assignment starts a second agent that does not know of the first."],
    [47, "starts", "An issue that an agent opens wakes another agent, which races it."],
    [48, "review", "One pull request is reviewed again and again, nearly a hundred times."],
  ],
  "The time of reviewers": [
    [49, "attention", "Pull requests pile up by the thousand, and nothing limits how many are begun."],
    [50, "attention", "Maintainers have to set a cap on open pull requests themselves."],
    [51, "attention", "Agents go on while reviewers are at their limit."],
    [52, "attention", "CI costs many times what its reviews are worth."],
    [
      53,
      "review",
      "The reviewing bot is out of quota, its check is green, and work is merged that nobody has reviewed.",
    ],
    [54, "conflicts", "Work is run again, for dollars, only because its branch is behind."],
  ],
  "Conflicts between agents": [
    [55, "conflicts", "All agents with conflicts are woken at once, and conflict again after each merge."],
    [56, "conflicts", "Pull requests on the same files overlap, and nothing puts them in order."],
    [57, "conflicts", "The agent cannot resolve a conflict, or merges the wrong branch."],
  ],
  "The loop with CI": [
    [58, "ci", "What the bot pushes starts no CI, or its own required check blocks it."],
    [59, "ci", "Somebody has to approve the workflows after each push."],
    [60, "ci", "Failures that are flaky, or not the agent's, use up its attempts."],
    [61, "crashes", "A tool is cut off before the build ends, and a failing setup says nothing useful."],
  ],
  "People who are waited for": [
    [62, "people", "Questions wait for ever; they have neither a default answer nor a deadline."],
    [63, "people", "Nobody answers, and nothing follows from that."],
    [64, "people", "A time-out is recorded as if a person had decided."],
    [65, "people", "An agent cannot be told anything while it works."],
  ],
  "Lost webhooks": [
    [66, "webhooks", "Half of the webhooks are lost, and GitHub does not send them again by itself."],
    [67, "webhooks", "After an outage thousands of webhooks are missed, of which few matter."],
    [68, "webhooks", "What happens while the bot is away is never done."],
  ],
  "Limits of GitHub": [
    [69, "requests", "A few sessions use up the requests of the hour."],
    [70, "requests", "Sweeps list all open issues, page by page."],
    [71, "requests", "One of GitHub's two pools is used up while the other is nearly full."],
    [72, "requests", "Nothing is kept in reserve of the requests of the hour."],
  ],
  Security: [
    [73, "starts", "An account that calls itself a bot passes the check of who may start agents."],
    [74, "starts", "Text of strangers in issues and pull requests gives orders to agents."],
    [75, "starts", "Whatever a stranger opens is worked on, and no mode distrusts it."],
    [
      76,
      "claims",
      "Another model judges what is dangerous: it raises false alarms or only advises, and people switch it off.",
    ],
  ],
  "Resources of the machine": [
    [77, "resources", "Worktrees fill the disk within days, and stopping does not stop."],
    [78, "crashes", "The end of a run is skipped and leaves containers; the machine runs out of memory."],
    [79, "crashes", "Stale and dead processes pile up."],
  ],
  "Limits of providers": [
    [
      80,
      "provider",
      "At a provider's limit nothing waits for its end and goes on: a person must comment again.",
    ],
  ],
  Conversations: [
    [81, "review", "Each event on a pull request begins a new session that knows nothing of the last."],
    [82, "resumed", "A session that is resumed does not answer, doubles its events or lacks its tools."],
  ],
  "Dependencies and several repositories": [
    [83, "dependencies", "An issue cannot wait until three others are merged."],
    [
      84,
      "dependencies",
      "A repository with submodules is not supported, and changes in them are not followed.",
    ],
    [85, "dependencies", "One piece of work cannot change several repositories."],
  ],
  "Trust and noise": [
    [86, "people", "An issue fills with comments of the bot."],
    [87, "claims", "Nobody can tell which commits agents made, and what they cost."],
    [88, "observe", "Nothing shows what the system would do before it may do it."],
    [89, "starts", "A bot is wanted, but only if few may start it."],
  ],
};

export const COMPLAINTS: readonly Complaint[] = Object.entries(SUBJECTS).flatMap(([subject, rows]) =>
  rows.map(([number, name, complaint]) => ({ number, complaint, subject, story: name })),
);
