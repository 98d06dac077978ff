import type { Tokens } from "../auth/tokens.ts";
import type { RateLimits } from "../http/rate-limits.ts";
import type { Route } from "../http/route.ts";
import type { Webhooks } from "../webhooks/webhooks.ts";
import { actionsRoutes } from "./actions.ts";
import { appRoutes } from "./app.ts";
import { checkRoutes } from "./checks.ts";
import { commentRoutes } from "./comments.ts";
import { commitRoutes } from "./commits.ts";
import { contentRoutes } from "./contents.ts";
import { gitObjectRoutes } from "./git-objects.ts";
import { graphqlRoutes } from "./graphql.ts";
import { hookRoutes } from "./hook.ts";
import { issueRoutes } from "./issues.ts";
import { labelRoutes } from "./labels.ts";
import { type Manifests, manifestRoutes } from "./manifest.ts";
import { milestoneRoutes } from "./milestones.ts";
import { pullRoutes } from "./pulls.ts";
import { reactionRoutes } from "./reactions.ts";
import { refRoutes } from "./refs.ts";
import { relationRoutes } from "./relations.ts";
import { repositoryRoutes } from "./repository.ts";
import { reviewRoutes } from "./reviews.ts";
import { searchRoutes } from "./search.ts";
import { userRoutes } from "./users.ts";

/** Returns every API operation that the local GitHub answers. */
export function allRoutes(parts: {
  tokens: Tokens;
  webhooks: Webhooks;
  limits: RateLimits;
  manifests: Manifests;
  emulated: readonly Route[];
}): Route[] {
  return [
    ...appRoutes(parts.tokens),
    ...hookRoutes(parts.webhooks),
    ...manifestRoutes(parts.manifests, parts.webhooks),
    ...userRoutes(parts.limits),
    ...repositoryRoutes,
    ...issueRoutes,
    ...searchRoutes,
    ...graphqlRoutes,
    ...labelRoutes,
    ...commentRoutes,
    ...reactionRoutes,
    ...milestoneRoutes,
    ...relationRoutes,
    ...pullRoutes,
    ...reviewRoutes,
    ...commitRoutes,
    ...contentRoutes,
    ...refRoutes,
    ...gitObjectRoutes,
    ...checkRoutes,
    ...actionsRoutes,
    ...parts.emulated,
  ];
}
