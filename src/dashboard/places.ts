import type { Store } from "../core/ports/store.ts";
import { fullName, parseFullName } from "../core/repository.ts";
import { type AgentViewParts, agentView } from "./agent-view.ts";
import { figuresOf } from "./figures.ts";
import { pauseJson } from "./json.ts";
import { ownFileJson } from "./own-file-json.ts";
import type { Period } from "./periods.ts";
import { tasksAsJson } from "./task-json.ts";
import type { Rights } from "./viewer.ts";

interface PlaceParts extends AgentViewParts {
  readonly store: Store;
  readonly now: number;
  readonly per: Period;
}

/** Agents shown beside the figures. */
const SHOWN = 20;

/**
 * A repository, or with `issue` the goal that is tracked there: its agents and work, what came of it, what it cost and
 * where the time went. Null where there is none, or where this viewer may not see it.
 */
export async function placeView(parts: PlaceParts, rights: Rights, name: string, issue: number | null) {
  const { store, site } = parts;
  const parsed = parseFullName(name);
  const repository = parsed && (await store.repositories.byName(parsed.owner, parsed.name));
  if (repository === undefined || !(await rights.mayRead(repository.id))) return null;
  const repositoryId = repository.id;
  const [goal] = issue === null ? [] : await store.records.find("goal", { repositoryId, issue });
  if (issue !== null && goal === undefined) return null;
  const issues = goal === undefined ? null : [goal.issue, ...goal.parts];
  const isPart = (number: number): boolean => issues === null || issues.includes(number);
  const agents = (await store.records.find("agent", { repositoryId })).filter((agent) => isPart(agent.issue));
  const tasks = await tasksAsJson(store, null);
  const full = fullName(repository);
  return {
    repository: full,
    site,
    goal:
      goal === undefined
        ? null
        : { issue: goal.issue, title: goal.title, state: goal.state, reason: goal.reason },
    agents: await Promise.all(
      agents
        .slice(-SHOWN)
        .toReversed()
        .map((agent) => agentView(parts, agent)),
    ),
    tasks: tasks.filter((task) => task.repository === full && isPart(task.issue)),
    own_file:
      issue === null
        ? ownFileJson(await store.repositoryFiles.get(repositoryId), { site, name: full })
        : null,
    paused: (await store.scopePauses.over(repositoryId)).map(pauseJson),
    figures: await figuresOf(store, { repository, part: { repositoryId, issues }, agents }, parts),
  };
}

export type PlaceView = NonNullable<Awaited<ReturnType<typeof placeView>>>;
