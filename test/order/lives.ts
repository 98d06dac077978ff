import type { LocalGitHub } from "../../src/demo/github/start.ts";
import {
  after,
  blocked,
  type Conversation,
  call,
  commit,
  complete,
  edit,
  on,
  openPr,
  review,
  work,
} from "../engine/scripts.ts";

/** What the recorder lets a life do. */
interface Recording {
  readonly github: Pick<LocalGitHub, "as">;
  /** All that follows happens after Flotilla has done its part. */
  readonly next: () => void;
  /** What Flotilla does itself; the webhooks of it are ignored as our own, and not kept. */
  readonly aside: (act: () => Promise<void>) => Promise<void>;
  /** Names the commit that stands for the agent's. */
  readonly head: (commit: string) => void;
}

/** A life of issue 1, with what its agent does in it. */
export interface Told {
  readonly name: string;
  readonly script: readonly Conversation[];
  /** Why it may be said to have ended: where two webhooks end it, the one that comes first. */
  readonly endedBy: readonly string[];
  readonly tell: (recording: Recording) => Promise<void>;
}

const BRANCH = "flotilla/feat-dev/issue-1";
const ASK = call("ask_human", { question: "Light or dark?", options: ["light", "dark"] });

/** Three issues, and what is said beside the point while the first gets its agent. */
async function begins({ github }: Recording): Promise<void> {
  const [alice, bob, eve] = [github.as("alice"), github.as("bob"), github.as("eve")];
  for (const number of [1, 2, 3])
    await alice.openIssue({ title: `Feature ${number}`, body: `Do ${number}.` });
  await alice.label(1, "later");
  await bob.comment(1, "Good idea.");
  await eve.comment(1, "/flotilla cancel");
  await alice.label(1, "feature");
  await alice.unlabel(1, "later");
}

/** The pull request that the agent opened meanwhile; returns its commit. */
async function hasPull({ github, head, aside }: Recording): Promise<string> {
  const alice = github.as("alice");
  let own = "";
  await aside(async () => {
    own = await alice.push(BRANCH, { "feature.ts": "export {};" }, "Build it");
    await alice.openPull({ title: "Build it", body: "Closes #1", head: BRANCH });
  });
  head(own);
  return own;
}

/** Talk, two checks and the merge, which closes the issue. */
async function isMerged({ github }: Recording, own: string): Promise<void> {
  const bob = github.as("bob");
  await bob.comment(1, "/flotilla status");
  for (const context of ["build", "lint"])
    await bob.call("POST", `/statuses/${own}`, { state: "success", context });
  await bob.merge(4);
  await bob.comment(1, "Thank you.");
}

export const LIVES: readonly Told[] = [
  {
    name: "built-and-merged",
    endedBy: ["#4 was merged"],
    script: [on(1, ...work)],
    async tell(recording) {
      await begins(recording);
      const own = await hasPull(recording);
      recording.next();
      await isMerged(recording, own);
    },
  },
  {
    name: "asked-and-answered",
    endedBy: ["#4 was merged"],
    script: [on(1, ASK, after("Answer from a person", edit()), commit, openPr, complete)],
    async tell(recording) {
      const { github, next } = recording;
      await begins(recording);
      next();
      await github.as("eve").comment(1, "Take neither.");
      await github.as("bob").comment(1, "/flotilla answer light");
      await github.as("alice").label(1, "later");
      const own = await hasPull(recording);
      next();
      await isMerged(recording, own);
    },
  },
  {
    name: "blocked-and-freed",
    endedBy: ["#4 was merged"],
    script: [on(1, blocked(2), after("which blocked you", edit()), commit, openPr, complete)],
    async tell(recording) {
      const { github, next } = recording;
      const alice = github.as("alice");
      await begins(recording);
      next();
      const { id } = await alice.call("GET", "/issues/2");
      await alice.call("POST", "/issues/1/dependencies/blocked_by", { issue_id: id });
      await alice.close(2);
      await alice.call("DELETE", `/issues/1/dependencies/blocked_by/${String(id)}`);
      await alice.comment(2, "Done.");
      const own = await hasPull(recording);
      next();
      await isMerged(recording, own);
    },
  },
  {
    name: "reviewed-and-left",
    endedBy: ["#4 was closed without a merge", "the issue was closed"],
    script: [on(1, edit(), commit, openPr, review, edit("test.ts"), commit, complete)],
    async tell(recording) {
      const { github, next } = recording;
      await begins(recording);
      const own = await hasPull(recording);
      next();
      await github.as("bob").review(4, { event: "REQUEST_CHANGES", body: "Please add a test." });
      await github.as("eve").comment(1, "I do not like it.");
      await github.as("bob").call("POST", `/statuses/${own}`, { state: "success", context: "lint" });
      next();
      await github.as("alice").comment(1, "We do without it.");
      await github.as("alice").closePull(4);
      await github.as("alice").close(1, "not_planned");
    },
  },
];
