import { expect } from "vitest";
import type { Journey } from "./journey.ts";

/** How a repository's file names the label of a role. */
const triggers = (label: string) => `triggers: [{ event: issues.labeled, label: ${label} }]`;

/** The last issue of the journey. */
export const OWN_LABEL = 13;

/**
 * A file that names a label of its own is pushed to the default branch, then a faulty one; returns the roles of the
 * agents of its issue. To be played last: it changes what holds in the repository.
 */
export async function ownLabelStarts(journey: Journey): Promise<readonly unknown[]> {
  const issue = OWN_LABEL;
  const octocat = journey.github.as("octocat");
  const write = (text: string) =>
    octocat.push("main", { ".github/flotilla.yml": `${text}\n` }, "How we work here");
  const kept = (what: string, condition: string) =>
    journey.until(what, () => journey.rows(`SELECT 1 FROM repository_file WHERE ${condition}`).at(0));
  const agents = () => journey.rows("SELECT role FROM agent WHERE issue = ?", issue);
  const told = () =>
    Array.from({ length: issue }, (_, index) => journey.github.state().comments(index + 1))
      .flat()
      .filter(({ body }) => body.includes("is faulty"));

  await octocat.label(issue, "wanted");
  await journey.quiet();
  expect(agents()).toEqual([]);
  await octocat.unlabel(issue, "wanted");
  await write(`roles: { feat-dev: { ${triggers("wanted")} } }`);
  await kept("the file is in force", "source IS NOT NULL");
  await octocat.label(issue, "wanted");
  await journey.reached(issue, "SLEEPING", "feat-dev");

  await write(`rolls: { feat-dev: { ${triggers("other")} } }`);
  await kept("its fault is known", "faults <> '[]'");
  await octocat.comment(issue, "/flotilla pause");
  await octocat.comment(issue, "/flotilla status");
  await octocat.comment(1, "/flotilla status");
  await journey.quiet();
  expect(told().map(({ body }) => body)).toEqual([
    expect.stringContaining('rolls: unknown key. Did you mean "roles"?'),
  ]);
  return agents().map(({ role }) => role);
}
