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

/** How long after its label an agent is in the middle of its work. */
const WORKING_MS = 8_000;
/** How long an issue is blocked. */
const BLOCKED_MS = 15_000;
/** How long a check runs. */
const CHECKED_MS = 12_000;

/** Every other issue has a question for a person. */
const asks = (index: number): boolean => index % 2 === 1;
const titleOf = (index: number): string => `Write page-${index}.md`;

const ASK = call("ask_human", {
  question: "Shall the page be light or dark?",
  options: ["light", "dark"],
  recommended: "light",
});

/** Of so many issues, one each has a label that its agent puts, a call for a person, and a blocker. */
const KINDS = 8;
const putsLabel = (index: number): boolean => index % KINDS === 2;
const callsPerson = (index: number): boolean => index % KINDS === 4;
const hearsMore = (index: number): boolean => !asks(index);
const isBlocked = (index: number): boolean => index % KINDS === 6;
/** A label that starts nothing. */
const PLAIN_LABEL = "small";
const CHECK = "build";

const CALL = call("escalate_to_human", {
  reason: "Two licences are possible.",
  category: "decision",
  question: "Which one?",
});

/** What the model says to the agents of so many issues. `varied`: see `FleetGiven`. */
export function fleetScenario(issues: number, varied: boolean): Scenario {
  return aScenario({
    config: {
      ...(varied ? { evidence: { required_checks: [CHECK] } } : {}),
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
      steps: [thinks, ...(varied ? variedSteps(index) : stepsOf(index))],
    })),
  });
}

function stepsOf(index: number) {
  return asks(index) ? [ASK, ...after(ANSWERED, [thinks, ...slowly(index)])] : slowly(index);
}

function variedSteps(index: number) {
  if (callsPerson(index)) return [CALL, ...after(ANSWERED, [thinks, ...slowly(index)])];
  return putsLabel(index) ? [call("label", { name: PLAIN_LABEL }), ...stepsOf(index)] : stepsOf(index);
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
  readonly #varied: boolean;
  /** What people do later, by the time of `performance.now()` from which on they do it. */
  #later: { readonly at: number; readonly act: () => Promise<unknown> }[] = [];
  #opened = 0;

  constructor(github: LocalGitHub, varied: boolean) {
    this.#github = github;
    this.#varied = varied;
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
    // GitHub makes a label when a person first puts it; agents put only those that are there.
    if (this.#varied && index === 0) await octocat.label(issue, PLAIN_LABEL);
    if (this.#varied && isBlocked(index)) await this.#block(issue);
    if (this.#varied && hearsMore(index))
      this.#soon(WORKING_MS, () => octocat.comment(issue, "Keep it short, please."));
    await octocat.label(issue, "feature");
    if (index % 3 === 0) await octocat.comment(issue, "/flotilla status");
  }

  /** Asks how one of the issues stands; `place` (0 to 1) says which. */
  async askForStatus(place: number): Promise<void> {
    const issue = this.#issues[Math.floor(place * this.#issues.length)];
    if (issue !== undefined) await this.#github.as("octocat").comment(issue, "/flotilla status");
  }

  /** Makes the issue wait for the first one, for a while. */
  async #block(issue: number): Promise<void> {
    const octocat = this.#github.as("octocat");
    const { id } = await octocat.call("GET", `/issues/${this.#issues[0]}`);
    const list = `/issues/${issue}/dependencies/blocked_by`;
    await octocat.call("POST", list, { issue_id: id });
    this.#soon(BLOCKED_MS, () => octocat.call("DELETE", `${list}/${String(id)}`));
  }

  #soon(ms: number, act: () => Promise<unknown>): void {
    this.#later.push({ at: performance.now() + ms, act });
  }

  /** Does what is due, and lets the check of each pull request succeed. */
  async #goOn(): Promise<void> {
    const due = this.#later.filter(({ at }) => at <= performance.now());
    this.#later = this.#later.filter((one) => !due.includes(one));
    for (const { act } of due) await act();
    if (!this.#varied) return;
    for (const { pull } of this.#github.state().pulls()) {
      if (this.#answered.has(pull.headSha)) continue;
      this.#answered.add(pull.headSha);
      const green = { state: "success", context: CHECK };
      this.#soon(CHECKED_MS, () =>
        this.#github.as("octocat").call("POST", `/statuses/${pull.headSha}`, green),
      );
    }
  }

  /**
   * Answers each question and each call for a person once; an agent that was interrupted as it asked may ask again.
   */
  async answer(): Promise<void> {
    await this.#goOn();
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
