import { asPull } from "../acts/emit.ts";
import { dequeuePull, queueEntryOf } from "../acts/leave-queue.ts";
import { enqueuePull, settleQueue } from "../acts/merge-queue.ts";
import { demand } from "../auth/allow.ts";
import { issueConnection } from "../graphql/issue-nodes.ts";
import { parseOperation } from "../graphql/parse.ts";
import { type GraphNode, select } from "../graphql/select.ts";
import { type Answer, ApiError, notFound, ok } from "../http/answer.ts";
import type { Call, Route } from "../http/route.ts";
import type { PullRequest, QueueEntry, Repository } from "../world/records.ts";
import { nodeId } from "../world/world.ts";

/** GraphQL, of which only GitHub's merge queue and the reading of issues are here. */
export const graphqlRoutes: Route[] = [{ operation: "POST /graphql", kind: "any", handle: answer }];

async function answer(call: Call): Promise<Answer> {
  const { query, variables } = call.body;
  try {
    const { kind, fields } = parseOperation(String(query), Object(variables ?? {}));
    return ok({ data: await select(kind === "query" ? queries(call) : mutations(call), fields) });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return ok({ data: null, errors: [{ ...typeOf(error), message }] });
  }
}

/** What GitHub does not understand has no type. */
function typeOf(error: unknown): { readonly type?: string } {
  if (!(error instanceof ApiError)) return {};
  if (error.status === 404) return { type: "NOT_FOUND" };
  return { type: error.status === 403 ? "FORBIDDEN" : "UNPROCESSABLE" };
}

const queries = ({ world, actor }: Call): GraphNode => ({
  __typename: "Query",
  repository: ({ owner, name }: Readonly<Record<string, unknown>>) => {
    const repository = world.repositories.get(`${String(owner)}/${String(name)}`.toLowerCase());
    if (repository === undefined) throw notFound();
    return {
      __typename: "Repository",
      issues: (args: Readonly<Record<string, unknown>>) => {
        demand(actor, repository, { permission: "issues:read", role: "read" });
        return issueConnection(repository, args);
      },
      pullRequest: (args: Readonly<Record<string, unknown>>) => {
        demand(actor, repository, { permission: "pull_requests:read", role: "read" });
        const issue = repository.issues.get(Number(args["number"]));
        const pull = issue && asPull(issue);
        if (pull === undefined) throw notFound();
        return pullNode(repository, pull);
      },
    };
  },
});

const mutations = (call: Call): GraphNode => ({
  __typename: "Mutation",
  enqueuePullRequest: async ({ input }: Readonly<Record<string, unknown>>) => {
    const { pullRequestId, expectedHeadOid } = Object(input);
    const { repository, pull } = pullWith(call, pullRequestId);
    const head = typeof expectedHeadOid === "string" ? expectedHeadOid : undefined;
    const entry = await enqueuePull(call.world, repository, call.actor.account, pull, head);
    await settleQueue(call.world, repository);
    return { __typename: "EnqueuePullRequestPayload", mergeQueueEntry: entryNode(entry) };
  },
  dequeuePullRequest: ({ input }: Readonly<Record<string, unknown>>) => {
    const { repository, pull } = pullWith(call, Object(input).id);
    const entry = queueEntryOf(repository, pull);
    if (entry === undefined) throw new ApiError(422, "Pull request is not in the merge queue");
    dequeuePull(call.world, repository, call.actor.account, pull, "manual");
    return { __typename: "DequeuePullRequestPayload", mergeQueueEntry: entryNode(entry) };
  },
});

const entryNode = ({ id }: QueueEntry): GraphNode => ({
  __typename: "MergeQueueEntry",
  id: nodeId("MergeQueueEntry", id),
});

/** Finds a pull request that the actor may merge by its node id. */
function pullWith(
  { world, actor }: Call,
  id: unknown,
): { readonly repository: Repository; readonly pull: PullRequest } {
  for (const repository of world.repositories.values())
    for (const issue of repository.issues.values()) {
      const pull = asPull(issue);
      if (pull === undefined || nodeId("PullRequest", pull.pull.id) !== id) continue;
      demand(actor, repository, { permission: "contents:write", role: "write" });
      demand(actor, repository, { permission: "pull_requests:write", role: "write" });
      return { repository, pull };
    }
  throw notFound();
}

function pullNode(repository: Repository, issue: PullRequest): GraphNode {
  const { id, leftQueue: left } = issue.pull;
  const removed =
    left === null
      ? []
      : [
          {
            __typename: "RemovedFromMergeQueueEvent",
            createdAt: left.at,
            reason: left.reason,
            actor: {
              __typename: left.actor.type,
              login: left.actor.login.replace(/\[bot\]$/, ""),
            },
            beforeCommit: { __typename: "Commit", oid: left.commit },
          },
        ];
  return {
    __typename: "PullRequest",
    id: nodeId("PullRequest", id),
    isInMergeQueue: queueEntryOf(repository, issue) !== undefined,
    // Only the last one is kept.
    timelineItems: ({ itemTypes }: Readonly<Record<string, unknown>>) => ({
      __typename: "PullRequestTimelineItemsConnection",
      nodes: Array.isArray(itemTypes) && itemTypes.includes("REMOVED_FROM_MERGE_QUEUE_EVENT") ? removed : [],
    }),
  };
}
