import { attention } from "./stories/attention.ts";
import { ci } from "./stories/ci.ts";
import { claims } from "./stories/claims.ts";
import { conflicts } from "./stories/conflicts.ts";
import { crashes } from "./stories/crashes.ts";
import { dependencies } from "./stories/dependencies.ts";
import { limits } from "./stories/limits.ts";
import { metered } from "./stories/meter.ts";
import { notices } from "./stories/notices.ts";
import { observed } from "./stories/observe.ts";
import { people } from "./stories/people.ts";
import { limited } from "./stories/provider.ts";
import { requests } from "./stories/requests.ts";
import { resources } from "./stories/resources.ts";
import { resumed } from "./stories/resumed.ts";
import { reviewed } from "./stories/review.ts";
import { starts } from "./stories/starts.ts";
import { lost } from "./stories/webhooks.ts";
import type { Story } from "./story.ts";

/** All stories, by name. */
export const STORIES = {
  limits,
  meter: metered,
  provider: limited,
  starts,
  claims,
  people,
  crashes,
  resumed,
  resources,
  webhooks: lost,
  requests,
  review: reviewed,
  attention,
  conflicts,
  ci,
  dependencies,
  notices,
  observe: observed,
} as const satisfies Readonly<Record<string, Story>>;

export type StoryName = keyof typeof STORIES;
