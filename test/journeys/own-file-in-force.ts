import { expect } from "vitest";
import type { Journey } from "./journey.ts";

/** Title of the issue on which the repository's own label starts an agent. */
export const WANTED = "Wanted by our own label";

/** Builds the part of a repository's file that sets the label of a role. */
const triggers = (label: string) => `triggers: [{ event: issues.labeled, label: ${label} }]`;

/**
 * Pushes, as people, a file that gives feat-dev another label, and then a faulty one, which changes nothing and is
 * reported once. Returns where it is reported. Play it last: it changes the repository's settings.
 */
export async function ownFileInForce(journey: Journey): Promise<readonly string[]> {
  const octocat = journey.github.as("octocat");
  const write = (text: string) =>
    octocat.push("main", { ".github/flotilla.yml": `${text}\n` }, "How we work here");
  const kept = (what: string, condition: string) =>
    journey.until(what, () => journey.rows(`SELECT 1 FROM repository_file WHERE ${condition}`).at(0));
  const opened = async (title: string, label: string) => {
    const issue = await octocat.openIssue({ title, body: "Please.", labels: [label] });
    await journey.quiet();
    return issue;
  };
  const rolesOn = (issue: number) =>
    journey.rows("SELECT role FROM agent WHERE issue = ?", issue).map(({ role }) => role);

  expect(rolesOn(await opened("Wanted too early", "wanted"))).toEqual([]);
  await write(`roles: { feat-dev: { ${triggers("wanted")} } }`);
  await kept("the file is in force", "source IS NOT NULL");
  const issue = await opened(WANTED, "wanted");
  await journey.reached(issue, "COMPLETED", "feat-dev");

  await write(`rolls: { feat-dev: { ${triggers("other")} } }`);
  await kept("its fault is known", "faults <> '[]'");
  // The last file without a fault still applies: only its label starts the role.
  expect(rolesOn(await opened("The operator's label", "feature"))).toEqual([]);
  await octocat.comment(issue, "/flotilla status");
  await journey.quiet();
  const told = Array.from({ length: 20 }, (_, number) => journey.github.state().comments(number + 1))
    .flat()
    .filter(({ body }) => body.includes("is faulty"));
  return told.map(({ body }) => body);
}
