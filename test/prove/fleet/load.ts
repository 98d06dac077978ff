import type { LocalGitHub } from "../../../src/demo/github/start.ts";
import type { Scenario } from "../../../src/demo/scenario.ts";
import { parseMarker } from "../../../src/domain/messages/marker.ts";
import { after, aScenario, call, makes } from "../../journeys/a-scenario.ts";

/**
 * It begins its work anew after an interruption, when it has stopped because a call failed, as calls do while the database is
 * away, and when a person tells it to.
 */
const AGAIN = "You were interrupted by a restart|You stopped without a report|Message from a person";
const ANSWERED = "Answer from a person";

/** Prints something different each time, so that an agent that begins again does not count as going in circles. */
const looks = call("bash", { command: "date +%N | tr 0-9 g-p", description: "Look around" });

/** How long an answer of the model takes: most disturbances meet an agent in the middle of one. */
const THINKING_MS = 3_000;
const thinks = { ...looks, delayMs: THINKING_MS };

/** Every other issue has a question for a person. */
const asks = (index: number): boolean => index % 2 === 1;
const titleOf = (index: number): string => `Write page-${index}.md`;

const ASK = call("ask_human", {
  question: "Shall the page be light or dark?",
  options: ["light", "dark"],
  recommended: "light",
});

/** What the model says to the agents of so many issues. */
export function fleetScenario(issues: number): Scenario {
  return aScenario({
    config: {
      // With more looks a minute, many agents meet GitHub's limits, and so do their tools.
      reconcile_every: `${Math.max(20, issues * 5)}s`,
      retention: { worktrees: "30s" },
      // Nobody merges here, and agents begin nevertheless.
      attention: { open_prs: issues + 1 },
      circuit_breakers: { repository_per_day: { max_agents: issues + 1 } },
      runtime: { max_concurrent_agents: 6 },
    },
    conversations: Array.from({ length: issues }, (_, index) => ({
      match: `Write page-${index}\\.md`,
      again: AGAIN,
      steps: asks(index)
        ? [thinks, ASK, ...after(ANSWERED, [thinks, ...slowly(index)])]
        : [thinks, ...slowly(index)],
    })),
  });
}

function slowly(index: number) {
  const steps = makes(`page-${index}.md`);
  return steps.flatMap((step, place) => (place === 0 ? [step, thinks] : [step]));
}

/** What a person says to the comment with this key; null for nothing. */
function wordsTo(key: string): string | null {
  if (key.startsWith("question")) return "dark";
  return /-escalated-\d+$/.test(key) ? "Please go on." : null;
}

/** The people: they open issues, give work to agents, answer what these ask, and comment meanwhile. */
export class People {
  readonly #github: LocalGitHub;
  readonly #issues: number[] = [];
  readonly #answered = new Set<string>();
  #opened = 0;

  constructor(github: LocalGitHub) {
    this.#github = github;
  }

  /** The numbers of the issues on which an agent is to work. */
  get issues(): readonly number[] {
    return this.#issues;
  }

  /** Opens the next issue and labels it. */
  async open(): Promise<void> {
    const octocat = this.#github.as("octocat");
    const index = this.#opened;
    this.#opened += 1;
    const issue = await octocat.openIssue({ title: titleOf(index), body: "As short as can be." });
    this.#issues.push(issue);
    await octocat.label(issue, "feature");
    if (index % 3 === 0) await octocat.comment(issue, "/flotilla status");
  }

  /** Asks how one of the issues stands; `place` (0 to 1) says which. */
  async askForStatus(place: number): Promise<void> {
    const issue = this.#issues[Math.floor(place * this.#issues.length)];
    if (issue !== undefined) await this.#github.as("octocat").comment(issue, "/flotilla status");
  }

  /**
   * Answers each question and each call for a person once; an agent that was interrupted as it asked may ask again.
   */
  async answer(): Promise<void> {
    for (const issue of this.#issues) {
      const keys = this.#github
        .state()
        .comments(issue)
        .flatMap(({ body }) => parseMarker(body)?.key ?? []);
      for (const key of keys) {
        const words = wordsTo(key);
        if (words === null || this.#answered.has(key)) continue;
        this.#answered.add(key);
        await this.#github.as("octocat").comment(issue, words);
      }
    }
  }
}
