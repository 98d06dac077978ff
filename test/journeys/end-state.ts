import { isObject } from "../../src/demo/github/http/fields.ts";
import { parseMarker } from "../../src/domain/messages/marker.ts";
import type { Journey } from "./journey.ts";

/**
 * Returns what a journey left in the database and on GitHub, without what may differ between two runs of the same
 * story: ids, times, numbers of pull requests, and the counters at the end of our comments' keys.
 */
export async function endState(journey: Journey) {
  const { github, rows } = journey;
  const state = github.state();
  return {
    agents: rows("SELECT issue, role, attempt, state, branch FROM agent ORDER BY issue, attempt"),
    tasks: rows("SELECT issue, state FROM task ORDER BY issue, id"),
    issues: state.issues().map(({ number, state: open, labels }) => ({
      number,
      state: open,
      labels: labels.map(({ name }) => name).toSorted(),
      comments: state
        .comments(number)
        .map(({ body }) => parseMarker(body)?.key.replace(/-\d+$/, "") ?? body)
        .toSorted(),
      reactions: state.comments(number).flatMap(({ reactions }) => reactions.map(({ content }) => content)),
    })),
    blockedBy: state
      .issues()
      .flatMap(({ number, blockedBy }) => blockedBy.map((blocker) => [number, blocker.number])),
    pulls: await pullsOf(journey),
  };
}

async function pullsOf({ github }: Journey) {
  const pulls = github
    .state()
    .pulls()
    .toSorted((one, other) => (one.pull.headRef < other.pull.headRef ? 1 : -1));
  return Promise.all(
    pulls.map(async ({ number, title, state, pull }) => ({
      title,
      branch: pull.headRef,
      state,
      commits: (await listed(github, `/pulls/${number}/commits`)).map(({ commit }) =>
        isObject(commit) ? String(commit["message"]).split("\n\nFlotilla-Run: ")[0] : undefined,
      ),
      files: (await listed(github, `/pulls/${number}/files`)).map((entry) => entry["filename"]),
    })),
  );
}

async function listed(github: Journey["github"], path: string): Promise<Record<string, unknown>[]> {
  const { items } = await github.as("octocat").call("GET", path);
  return Array.isArray(items) ? items.filter(isObject) : [];
}
