import { created, ok } from "../http/answer.ts";
import { optionalChoice, optionalText, requiredText } from "../http/fields.ts";
import { paged } from "../http/paging.ts";
import { type Route, repositoryRoute } from "../http/route.ts";
import { renderMilestone } from "../render/issue.ts";
import type { Milestone } from "../world/records.ts";
import { now } from "../world/world.ts";
import { milestoneByNumber } from "./find.ts";

const all = "/repos/{owner}/{repo}/milestones";

export const milestoneRoutes: Route[] = [
  repositoryRoute(`GET ${all}`, "issues:read", (call, repository) => {
    const state = call.query.get("state") ?? "open";
    const found = repository.milestones.filter((milestone) => state === "all" || milestone.state === state);
    return paged(call, found, (milestone) => renderMilestone(call.world, repository, milestone));
  }),
  repositoryRoute(`POST ${all}`, "issues:write", ({ world, body, actor }, repository) => {
    const at = now(world);
    const milestone: Milestone = {
      id: world.nextId(),
      number: repository.milestones.length + 1,
      title: requiredText(body, "title"),
      description: optionalText(body, "description") ?? null,
      state: optionalChoice(body, "state", ["open", "closed"]) ?? "open",
      creator: actor.account,
      createdAt: at,
      updatedAt: at,
      closedAt: null,
      dueOn: optionalText(body, "due_on") ?? null,
    };
    repository.milestones.push(milestone);
    const fields = { milestone: renderMilestone(world, repository, milestone) };
    world.emit({ event: "milestone", action: "created", repository, sender: actor.account, fields });
    return created(renderMilestone(world, repository, milestone));
  }),
  repositoryRoute(`GET ${all}/{milestone_number}`, "issues:read", ({ world, params }, repository) =>
    ok(renderMilestone(world, repository, milestoneByNumber(repository, Number(params["milestone_number"])))),
  ),
  repositoryRoute(
    `PATCH ${all}/{milestone_number}`,
    "issues:write",
    ({ world, body, params, actor }, repository) => {
      const milestone = milestoneByNumber(repository, Number(params["milestone_number"]));
      const state = optionalChoice(body, "state", ["open", "closed"]) ?? milestone.state;
      const moved = state !== milestone.state;
      milestone.title = optionalText(body, "title") ?? milestone.title;
      milestone.description = optionalText(body, "description") ?? milestone.description;
      milestone.updatedAt = now(world);
      milestone.state = state;
      if (moved) {
        milestone.closedAt = state === "closed" ? milestone.updatedAt : null;
        const fields = { milestone: renderMilestone(world, repository, milestone) };
        const action = state === "closed" ? "closed" : "opened";
        world.emit({ event: "milestone", action, repository, sender: actor.account, fields });
      }
      return ok(renderMilestone(world, repository, milestone));
    },
  ),
];
