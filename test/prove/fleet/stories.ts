import { after, CODERS, type Conversations, call, makes, type Step } from "../../journeys/a-scenario.ts";

/**
 * It begins its work anew after an interruption, when it has stopped because a call failed, as calls do while the database is
 * away, and when a person tells it to.
 */
export const AGAIN = "You were interrupted by a restart|You stopped without a report|Message from a person";
const ANSWERED = "Answer from a person";

/** Prints something different each time, so that an agent that begins again does not count as going in circles. */
const looks = call("bash", { command: "date +%N | tr 0-9 g-p", description: "Look around" });

/** How long an answer of the model takes: most disturbances meet an agent in the middle of one. */
const THINKING_MS = 3_000;
const thinks = { ...looks, delayMs: THINKING_MS };

/** And how long one that nobody gets, since the agent's process dies meanwhile. */
const DYING_MS = 60_000;

/** What may happen on an issue, besides that its agent writes a page. */
export type Story =
  /** The agent asks a question with options. */
  | "asks"
  /** The agent puts a label, and asks. */
  | "labels"
  /** The agent calls for a person. */
  | "calls"
  /** A person has the issue wait for another one, for a while. */
  | "is blocked"
  /** The agent opens an issue that must be done first, and waits for that and for another one. */
  | "blocks"
  /** What the agent commits waits for a person's approval. */
  | "is held"
  /** The run of the required check is stopped. */
  | "is checked again"
  /** The process of the first attempt dies until Flotilla gives that attempt up. */
  | "begins again"
  /** A reviewer approves the work, and Flotilla merges it. */
  | "is merged"
  /** And an agent brings it to a release, where it is merged too. */
  | "is brought to a release"
  /** A planner opens a part, whose work is merged. */
  | "is planned"
  /** A person's own pull request, which stands beside the issues: a reviewer looks at it. */
  | "is reviewed";

/** The stories of so many issues in a row; then they begin anew. */
const STORIES: readonly (Story | null)[] = [
  "is brought to a release",
  "is planned",
  "labels",
  "is checked again",
  "calls",
  "is merged",
  "is blocked",
  "begins again",
  "blocks",
  "asks",
  "is held",
  "is merged",
  null,
  "asks",
  "labels",
  "asks",
  "calls",
  "asks",
  "is blocked",
  "asks",
];

export function storyOf(index: number): Story | null {
  return STORIES[index % STORIES.length] ?? null;
}

/** Work of these roles and labels is only a draft, which no reviewer gets. */
const DRAFT_LABEL = "feature";
const MERGED_LABEL = "bug";
const PLAN_LABEL = "plan-work";
export const MERGED: readonly (Story | null)[] = ["is merged", "is brought to a release"];

/** The label by which work on an issue with this story begins. */
export function labelOf(story: Story | null): string {
  if (story === "is planned") return PLAN_LABEL;
  return MERGED.includes(story) ? MERGED_LABEL : DRAFT_LABEL;
}

/** A label that starts nothing. */
export const PLAIN_LABEL = "small";
export const CHECK = "build";
export const RELEASE = "release-1";

/** Issues that people open first, so that their numbers are known: those that others wait for. */
const NEED_ERRANDS: readonly (Story | null)[] = ["is blocked", "blocks"];
const ERRANDS_OF_ROUND = STORIES.filter((story) => NEED_ERRANDS.includes(story)).length;

/** Returns how many errands so many issues need. They are the first issues of the repository. */
export function errandsFor(issues: number): number {
  return Math.ceil(issues / STORIES.length) * ERRANDS_OF_ROUND;
}

/** Returns the number of the errand that the issue with this index waits for. */
export function errandOf(index: number): number {
  const before = STORIES.slice(0, index % STORIES.length).filter((story) => NEED_ERRANDS.includes(story));
  return Math.floor(index / STORIES.length) * ERRANDS_OF_ROUND + before.length + 1;
}

export const titleOf = (index: number): string => `Write page-${index}.md`;
export const partOf = (index: number): string => `Write part-${index}.md`;
export const blockerOf = (index: number): string => `Buy paper for page ${index}`;
const fileOf = (index: number): string => `${storyOf(index) === "is held" ? "licence" : "page"}-${index}.md`;

/** Returns true where a person opens a pull request too, beside the issue with this index. */
export const hasPull = (index: number): boolean => index % 5 === 3;
/** The branch of a person's pull request. */
export const pullBranchOf = (index: number): string => `chapter-${index}`;

/**
 * The other repository: a rule there takes only signed commits, and all its issues fail at first, and alike, so that there
 * is an incident.
 */
export const LIB = { name: "lib", issues: 3 } as const;
export const mendOf = (index: number): string => `Mend piece-${index}.md`;

const ASK = call("ask_human", {
  question: "Shall the page be light or dark?",
  options: ["light", "dark"],
  recommended: "light",
});

const CALL = call("escalate_to_human", {
  reason: "Two licences are possible.",
  category: "decision",
  question: "Which one?",
});

/** The title of the issue that a schedule opens. */
export const SCHEDULED = "Write scheduled.md";

/** What the configuration of the varied stories has in addition. */
export const VARIED_CONFIG = {
  notices: { chat: { format: "slack", url_env: "CHAT_URL" } },
  roles: {
    ...CODERS,
    planner: {
      prompt: "planner.md",
      evidence: "outputs",
      triggers: [{ event: "issues.labeled", label: PLAN_LABEL }],
    },
    reviewer: {
      prompt: "reviewer.md",
      lifecycle: "ephemeral",
      checkout: "head",
      evidence: "verdict",
      triggers: [{ event: "task.ready_for_review" }],
    },
    evaluator: { prompt: "evaluator.md", evidence: "none" },
    retrospective: {
      prompt: "retrospective.md",
      lifecycle: "ephemeral",
      evidence: "none",
      triggers: [{ event: "task.merged" }],
    },
  },
  evidence: { required_checks: [CHECK], commands: ["test -s README.md"] },
  policy: { protected_paths: ["licence-*.md"] },
  bases: ["release-*"],
  merge: { auto: true },
  level: "merge",
  levels: { labels: { [DRAFT_LABEL]: "draft" } },
};

/** What an agent says that writes a page, slowly; with a question first if `asked`. */
export function plainSteps(index: number, asked: boolean): Step[] {
  const work = slowly(fileOf(index));
  return asked ? [ASK, ...after(ANSWERED, [thinks, ...work])] : work;
}

/** What an agent says first, whatever it does then. */
export const begins = thinks;

/** What the model says to everybody on so many issues, and in the other repository. */
export function variedConversations(issues: number): Conversations {
  const indexes = Array.from({ length: issues }, (_, index) => index);
  return [
    ...HELPERS,
    ...indexes.map((index) => looksBack(index)),
    { match: pattern(SCHEDULED), again: AGAIN, steps: [thinks, ...slowly("scheduled.md")] },
    ...indexes.flatMap((index) => (storyOf(index) === "is planned" ? planned(index) : [])),
    ...indexes.flatMap((index) => ofStory(index)),
    ...Array.from({ length: LIB.issues }, (_, index) => [
      again(mendOf(index), [thinks, ...slowly(`piece-${index}.md`)]),
      { match: pattern(mendOf(index)), steps: [{ error: { status: 400, message: "no such model" } }] },
    ]).flat(),
  ];
}

const SHOWS = "git show --stat HEAD";

/** Those who see the work of others, so that their first message has its title too. */
const HELPERS: Conversations = [
  {
    match: "You are evaluator\\.",
    steps: [call("submit_evaluation", { confidence: 0.95, reason: "The page is there." })],
  },
  {
    match: "You are reviewer\\.",
    again: AGAIN,
    steps: [
      { ...call("bash", { command: SHOWS, description: "Look at the change" }), delayMs: THINKING_MS },
      call("submit_verdict", {
        commit: "{{commit}}",
        verdict: "approve",
        body: "It does what the issue asks.",
        evidence: [SHOWS],
      }),
    ],
  },
];

/** What a retrospective proposes, one after the other; no two say nearly the same. */
const LESSONS = [
  "Keep each page short: people ask for it.",
  "Name a file after its number, so that nobody looks for it.",
  "Write a single chapter in one change.",
  "Read the news on `main` before you begin.",
];

function looksBack(index: number): Conversations[number] {
  return {
    match: `You are retrospective\\..*${pattern(titleOf(index))}`,
    again: AGAIN,
    steps: [
      {
        ...call("propose_lesson", { line: LESSONS[index % LESSONS.length], citation: "{{fact}}" }),
        delayMs: THINKING_MS,
      },
      call("report_complete", { summary: "That is all." }),
    ],
  };
}

const PLANNED = call("report_complete", { summary: "One part." });

function planned(index: number): Conversations {
  return [
    { match: pattern(partOf(index)), again: AGAIN, steps: [thinks, ...slowly(`part-${index}.md`)] },
    {
      match: `You are planner\\..*${pattern(titleOf(index))}`,
      again: AGAIN,
      steps: [
        { ...call("get_my_status", {}), delayMs: THINKING_MS },
        call("create_sub_issue", { title: partOf(index), body: "A page.", role: "bug-fix" }),
        call("finalize_plan", {}),
        PLANNED,
        // Where GitHub's limit held the part up, it was not there yet.
        ...after("still drafts", [call("finalize_plan", {}), PLANNED]),
      ],
    },
  ];
}

function ofStory(index: number): Conversations {
  const match = pattern(titleOf(index));
  const work = plainSteps(index, false);
  const of = (...steps: readonly Step[]) => [{ match, again: AGAIN, steps: [begins, ...steps] }];
  switch (storyOf(index)) {
    case "asks":
      return of(...plainSteps(index, true));
    case "labels":
      return of(call("label", { name: PLAIN_LABEL }), ...plainSteps(index, true));
    case "calls":
      return of(CALL, ...after(ANSWERED, [thinks, ...work]));
    case "blocks":
      return of(
        call("create_blocker_issue", { title: blockerOf(index), body: "For the page." }),
        call("report_blocked", { blocker_issue: errandOf(index), reason: "That comes first." }),
        // Where a person has done it by now, it is no blocker.
        ...work,
        ...after("The issue that blocked you is resolved", [thinks, ...work]),
      );
    case "is held": {
      const [writes, ...rest] = makes(fileOf(index));
      return writes === undefined
        ? []
        : of(writes, ...rest.slice(0, 1), { say: "I wait." }, ...after("lets this call pass once", rest));
    }
    case "begins again":
      return [
        again(titleOf(index), [thinks, ...work]),
        { match, again: AGAIN, steps: [{ ...looks, delayMs: DYING_MS }] },
      ];
    default:
      return of(...work);
  }
}

/** What the model says to every attempt but the first. */
function again(title: string, steps: Step[]): Conversations[number] {
  return { match: `^(?=.*${pattern(title)})(?=.*This is attempt \\d)`, again: AGAIN, steps };
}

function slowly(file: string): Step[] {
  return makes(file).flatMap((step, place) => (place === 0 ? [step, thinks] : [step]));
}

function pattern(title: string): string {
  return title.replaceAll(".", "\\.");
}
