import type { LocalGitHub } from "../../../src/demo/github/start.ts";
import { isLessonBranch } from "../../../src/domain/lessons/lesson-line.ts";
import { parseMarker } from "../../../src/domain/messages/marker.ts";
import {
  blockerOf,
  CHECK,
  errandOf,
  errandsFor,
  hasPull,
  LIB,
  labelOf,
  MERGED,
  mendOf,
  PLAIN_LABEL,
  partOf,
  pullBranchOf,
  RELEASE,
  type Story,
  storyOf,
  titleOf,
} from "./stories.ts";

/** An issue on which an agent is to work. */
export interface Place {
  /** The name of its repository. */
  readonly repository: string;
  readonly issue: number;
}

interface Told extends Place {
  readonly index: number;
  readonly story: Story | null;
}

/** How long after its label an agent is in the middle of its work: what it is told then comes with the answer of a tool. */
const WORKING_MS = [6_000, 10_000] as const;
/** How long an issue is blocked. */
const BLOCKED_MS = 15_000;
/** How long a check runs. */
const CHECKED_MS = 12_000;
/** The issues of the other repository are opened with this one. */
const LIB_BESIDE = 1;

/** The people: they open issues, give work to agents, answer what these ask, merge nothing, and comment meanwhile. */
export class People {
  readonly #github: LocalGitHub;
  readonly #told: Told[] = [];
  readonly #answered = new Set<string>();
  readonly #varied: boolean;
  /** What people do later, by the time of `performance.now()` from which on they do it. */
  #later: { readonly at: number; readonly act: () => Promise<unknown> }[] = [];
  #opened = 0;

  constructor(github: LocalGitHub, varied: boolean) {
    this.#github = github;
    this.#varied = varied;
  }

  get issues(): readonly Place[] {
    return this.#told;
  }

  /** Returns the issues of which the first attempt is to fail. */
  dying(): readonly { readonly issue: number; readonly title: string }[] {
    const found = this.#told.filter(({ story }) => story === "begins again");
    return found.map(({ issue, index }) => ({ issue, title: titleOf(index) }));
  }

  /** Makes what the stories need, before anybody works; `issues` is how many are opened at most. */
  async prepare(issues: number): Promise<void> {
    if (!this.#varied) return;
    const octocat = this.#as("app");
    await this.#as(LIB.name).protect({ signatures: "every" });
    await octocat.push(RELEASE, { "RELEASE.md": "# 1\n" }, "Release 1");
    for (let errand = 1; errand <= errandsFor(issues); errand += 1) {
      const number = await octocat.openIssue({ title: `Errand ${errand}`, body: "By hand." });
      // GitHub makes a label when a person first puts it; agents put only those that are there.
      if (errand === 1) await octocat.label(number, PLAIN_LABEL);
    }
  }

  /** Opens the next issue and labels it. */
  async open(): Promise<void> {
    const index = this.#opened;
    this.#opened += 1;
    const story = this.#varied ? storyOf(index) : null;
    const issue = await this.#openOne("app", { index, story, title: titleOf(index) });
    const octocat = this.#as("app");
    if (story === "is blocked") await this.#block(issue, errandOf(index));
    // Of work on which nobody says anything, no lesson is learnt.
    if (this.#varied && (index % 2 === 0 || MERGED.includes(story)))
      for (const ms of WORKING_MS)
        this.#soon(ms, () =>
          octocat.comment(issue, `@${this.#github.app.slug} at most ${ms / 1000} lines, please.`),
        );
    await octocat.label(issue, labelOf(story));
    if (index % 3 === 0) await octocat.comment(issue, "/flotilla status");
    if (this.#varied && index === LIB_BESIDE) await this.#openLib();
    if (this.#varied && hasPull(index)) await this.#openPull(index);
  }

  /** Opens a pull request of a person, and has it reviewed. */
  async #openPull(index: number): Promise<void> {
    const octocat = this.#as("app");
    const head = pullBranchOf(index);
    await octocat.push(head, { [`${head}.md`]: "Once upon a time.\n" }, `Write ${head}`);
    const issue = await octocat.openPull({ title: `Write ${head}.md`, head, body: "By hand." });
    this.#told.push({ index, story: "is reviewed", repository: "app", issue });
    await octocat.comment(issue, "/flotilla review");
  }

  async #openOne(repository: string, { title, ...told }: Omit<Told, keyof Place> & { title: string }) {
    const issue = await this.#as(repository).openIssue({ title, body: "As short as can be." });
    this.#told.push({ ...told, repository, issue });
    return issue;
  }

  async #openLib(): Promise<void> {
    for (let index = 0; index < LIB.issues; index += 1) {
      const issue = await this.#openOne(LIB.name, { index, story: null, title: mendOf(index) });
      await this.#as(LIB.name).label(issue, labelOf(null));
    }
  }

  /** Asks how one of the issues stands; `place` (0 to 1) says which. */
  async askForStatus(place: number): Promise<void> {
    const one = this.#told[Math.floor(place * this.#told.length)];
    if (one !== undefined) await this.#as(one.repository).comment(one.issue, "/flotilla status");
  }

  /** Makes the issue wait for another one, for a while. */
  async #block(issue: number, blocker: number): Promise<void> {
    const octocat = this.#as("app");
    const { id } = await octocat.call("GET", `/issues/${blocker}`);
    const list = `/issues/${issue}/dependencies/blocked_by`;
    await octocat.call("POST", list, { issue_id: id });
    this.#soon(BLOCKED_MS, () => octocat.call("DELETE", `${list}/${String(id)}`));
  }

  #as(repository: string) {
    return this.#github.as("octocat", `acme/${repository}`);
  }

  #state(repository: string) {
    return this.#github.state(`acme/${repository}`);
  }

  #soon(ms: number, act: () => Promise<unknown>): void {
    this.#later.push({ at: performance.now() + ms, act });
  }

  /** Returns true the first time it is asked about this. */
  #isNew(what: string): boolean {
    const isNew = !this.#answered.has(what);
    this.#answered.add(what);
    return isNew;
  }

  /** Does what is due and what follows from what agents have written; an interrupted agent may ask a second time. */
  async act(): Promise<void> {
    const due = this.#later.filter(({ at }) => at <= performance.now());
    this.#later = this.#later.filter((one) => !due.includes(one));
    for (const { act } of due) await act();
    for (const told of this.#told) await this.#answer(told);
    if (!this.#varied) return;
    for (const repository of ["app", LIB.name]) await this.#check(repository);
    for (const told of this.#told) await this.#goOn(told);
    await this.#learn();
  }

  /** Takes each lesson that an agent proposes. */
  async #learn(): Promise<void> {
    for (const { number, state, pull } of this.#state("app").pulls())
      if (state === "open" && isLessonBranch(pull.headRef) && this.#isNew(`lesson ${number}`)) {
        await this.#as("app").setDraft(number, false);
        await this.#as("app").merge(number);
      }
  }

  /** Answers each question, each call for a person, each commit that is held and each failure that no agent follows, once. */
  async #answer(told: Told): Promise<void> {
    const { repository, issue } = told;
    for (const { body } of this.#state(repository).comments(issue)) {
      const key = parseMarker(body)?.key ?? "";
      const words = wordsTo(key, body, told);
      if (words !== null && this.#isNew(`${repository} ${key} ${words}`))
        await this.#as(repository).comment(issue, words);
      if (/-blocked-\d+$/.test(key)) await this.#unblock(told.index);
    }
  }

  /** Does what the agent waits for. */
  async #unblock(index: number): Promise<void> {
    const opened = this.#state("app").issues();
    for (const { number, title, state } of opened)
      if (state === "open" && (number === errandOf(index) || title === blockerOf(index)))
        await this.#as("app").close(number);
  }

  /** Runs the check of each pull request; the work that is to be merged finds that its base has moved. */
  async #check(repository: string): Promise<void> {
    const octocat = this.#as(repository);
    for (const { number, pull } of this.#state(repository).pulls()) {
      const { headSha, headRef, draft } = pull;
      const told = this.#told.find(
        (one) => one.repository === repository && headRef.endsWith(`/issue-${one.issue}`),
      );
      const isStopped = told?.story === "is checked again";
      if (!draft && this.#isNew(`news for ${number}`))
        await octocat.push("main", { [`news-${number}.md`]: "News.\n" }, "Tell the news");
      if (this.#isNew(headSha))
        this.#soon(CHECKED_MS, () =>
          isStopped
            ? octocat.runJob(headSha, { name: CHECK, conclusion: "cancelled" })
            : octocat.call("POST", `/statuses/${headSha}`, { state: "success", context: CHECK }),
        );
      const isQueued = this.#state(repository).repository.checkRuns.some(
        (run) => run.headSha === headSha && run.name === CHECK && run.status === "queued",
      );
      if (isQueued && this.#isNew(`again ${headSha}`))
        this.#soon(CHECKED_MS, () => octocat.runJob(headSha, { name: CHECK, conclusion: "success" }));
    }
  }

  /** Has merged work brought to the release. */
  async #goOn({ repository, issue, story }: Told): Promise<void> {
    if (story !== "is brought to a release" || this.#state(repository).issue(issue).state === "open") return;
    if (this.#isNew(`backport of ${issue}`))
      await this.#as(repository).comment(issue, `/flotilla backport ${RELEASE}`);
  }

  /** Returns what of the stories has not come to its end: work that is to be merged, and what people have yet to do. */
  unfinished(): readonly string[] {
    const found = this.#told.flatMap(({ story, issue, index }) => {
      if (story === "is planned") return this.#notClosed(partOf(index));
      if (story === "is reviewed") return this.#notReviewed(issue);
      return [
        ...(MERGED.includes(story) ? this.#notClosed(titleOf(index)) : []),
        ...(story === "is brought to a release"
          ? this.#notClosed(`${titleOf(index)} (backport to ${RELEASE})`)
          : []),
      ].map((what) => `#${issue}: ${what}`);
    });
    return [...found, ...(this.#later.length > 0 ? ["people have not done all"] : [])];
  }

  #notReviewed(number: number): readonly string[] {
    const isReviewed = this.#state("app").pull(number).pull.reviews.length > 0;
    return isReviewed ? [] : [`#${number}: nobody has reviewed it`];
  }

  #notClosed(title: string): readonly string[] {
    const of = this.#state("app")
      .issues()
      .find((issue) => issue.title === title);
    return of?.state === "closed" ? [] : [`"${title}" is ${of === undefined ? "not there" : "not merged"}`];
  }
}

/** What a person says to the comment with this key; null for nothing. */
function wordsTo(key: string, body: string, { repository }: Place): string | null {
  if (key.startsWith("question")) return "dark";
  if (/-escalated-\d+$/.test(key)) return "Please go on.";
  // Where a turn is cut off again and again, the tries reach the limit.
  if (/-limit-\d+$/.test(key)) return "/flotilla continue 25";
  if (/-approval-\d+$/.test(key)) return /\/flotilla approve(?: [0-9a-f]{12})?/.exec(body)?.[0] ?? null;
  return repository === LIB.name && /-failed-\d+$/.test(key) ? "/flotilla retry" : null;
}
