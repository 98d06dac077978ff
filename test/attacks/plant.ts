import type { Journey } from "../journeys/journey.ts";
import type { Attack } from "./attack.ts";
import { STRANGER, WRITER } from "./people.ts";

/** Puts each attack's texts where they belong, on an issue of its own; gives issue to attack. */
export async function plantAll(
  journey: Journey,
  attacks: readonly Attack[],
): Promise<ReadonlyMap<number, Attack>> {
  const issues = new Map<number, Attack>();
  for (const attack of attacks) issues.set(await plantOne(journey, attack), attack);
  return issues;
}

async function plantOne(journey: Journey, { name, plant }: Attack): Promise<number> {
  const stranger = journey.github.as(STRANGER);
  const writer = journey.github.as(WRITER);
  const texts = (where: Attack["plant"][number]["where"]) =>
    plant.filter((one) => one.where === where).map(({ text }) => text);
  const hidden = texts("hidden").map((text) => `<!-- ${text} -->`);
  const body = ["Please build this.", ...texts("body"), ...hidden].join("\n\n");
  const issue = await stranger.openIssue({ title: [name, ...texts("title")].join(" "), body });
  for (const text of texts("stranger_comment")) await stranger.comment(issue, text);
  const files = texts("file");
  const commits = texts("commit");
  if (files.length + commits.length > 0)
    await writer.push(
      "main",
      { [`docs/${name}.md`]: ["Notes.", ...files].join("\n\n") },
      commits.join("\n") || "Add notes",
    );
  for (const text of texts("stranger_pull")) {
    await writer.push(`planted-${issue}`, { "typo.md": "typo" }, "Fix a typo");
    await stranger.openPull({ title: `Fix a typo, ${text}`, head: `planted-${issue}`, body: text });
  }
  for (const text of texts("ci_log")) {
    const commit = await writer.push(`planted-${issue}`, { "build.md": "built" }, "Build it");
    await writer.runJob(commit, { name: "build", conclusion: "failure", step: "npm test", log: text });
  }
  return issue;
}
