import type { Executor } from "../outbox/execution.ts";

/** Opens the incident's issue in the repository of its first failure, or adopts an existing one. */
export const openIncident: Executor<"open_incident"> = async ({ context, repository, effect }) => {
  const { title, body, incident } = effect;
  const issue = await context.github.createIssue(repository, { key: `incident-${incident}`, title, body });
  return {
    result: { issue: issue.number },
    also: (tables) => tables.incidents.set(incident, { issue: issue.number }),
  };
};
