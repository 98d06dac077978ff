import { z } from "zod";
import { GitHubError } from "../../../domain/kernel/errors.ts";
import type { RepositoryRef } from "../../../domain/kernel/repository.ts";
import type { Merging, QueuedPull } from "../../../domain/ports/github-changes.ts";
import { ANSWERED, readGraph } from "../client/read-graph.ts";
import type { Room } from "../client/room.ts";
import { momentShape } from "../client/shapes.ts";

const QUEUED = `query QueuedPull($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      id
      isInMergeQueue
      timelineItems(last: 1, itemTypes: [REMOVED_FROM_MERGE_QUEUE_EVENT]) {
        nodes {
          ... on RemovedFromMergeQueueEvent {
            createdAt
            reason
            actor { __typename login }
            beforeCommit { oid }
          }
        }
      }
    }
  }
}`;

const ENQUEUE = `mutation EnqueuePull($pull: ID!, $head: GitObjectID!) {
  enqueuePullRequest(input: { pullRequestId: $pull, expectedHeadOid: $head }) {
    mergeQueueEntry { id }
  }
}`;

const DEQUEUE = `mutation DequeuePull($pull: ID!) {
  dequeuePullRequest(input: { id: $pull }) {
    mergeQueueEntry { id }
  }
}`;

const leftShape = z.object({
  createdAt: momentShape,
  reason: z.string().nullish(),
  actor: z
    .object({ __typename: z.string(), login: z.string().min(1) })
    .transform(({ login, ...actor }) => ({ login, isBot: Object.values(actor).includes("Bot") }))
    .nullish(),
  beforeCommit: z.object({ oid: z.string().min(1) }).nullish(),
});

const pullShape = z
  .object({
    repository: z.object({
      pullRequest: z.object({
        id: z.string().min(1),
        isInMergeQueue: z.boolean(),
        timelineItems: z.object({ nodes: z.array(leftShape.nullable()) }),
      }),
    }),
  })
  .transform(({ repository: { pullRequest: pull } }) => ({
    id: pull.id,
    queued: { isIn: pull.isInMergeQueue, left: leftOf(pull.timelineItems.nodes.at(-1) ?? null) },
  }));

/** GraphQL leaves out what REST adds to the logins of bots. */
function leftOf(event: z.output<typeof leftShape> | null): QueuedPull["left"] {
  if (event === null) return null;
  const { actor } = event;
  const login = actor?.isBot === true ? `${actor.login}[bot]` : actor?.login;
  return {
    at: Date.parse(event.createdAt),
    reason: event.reason ?? "",
    by: login ?? null,
    commit: event.beforeCommit?.oid ?? null,
  };
}

const addedShape = z.object({ enqueuePullRequest: z.object({ mergeQueueEntry: z.unknown() }) });
const takenShape = z.object({ dequeuePullRequest: z.object({ mergeQueueEntry: z.unknown() }) });

/** Creates the operations on GitHub's own merge queue, which only GraphQL has. Only `merger` may merge. */
export function createGitHubQueue(
  { on, clock }: Pick<Room, "on" | "clock">,
  merger: Room["on"],
): Pick<Merging, "queuedPull" | "enqueuePull" | "dequeuePull"> {
  const read = async (repository: RepositoryRef, number: number) => {
    const { owner, name } = repository;
    return readGraph(on(repository).graphql(QUEUED, { owner, name, number }), pullShape, clock.now());
  };

  return {
    async queuedPull(repository, number) {
      return (await read(repository, number)).queued;
    },

    async enqueuePull(repository, number, { head }) {
      const { id, queued } = await read(repository, number);
      if (queued.isIn) return { kind: "queued" };
      try {
        const asked = merger(repository).graphql(ENQUEUE, { pull: id, head });
        await readGraph(asked, addedShape, clock.now());
        return { kind: "queued" };
      } catch (error) {
        if (error instanceof GitHubError && error.code === "invalid")
          return { kind: "refused", reason: error.message.replace(ANSWERED, "") };
        throw error;
      }
    },

    async dequeuePull(repository, number) {
      const { id, queued } = await read(repository, number);
      if (!queued.isIn) return;
      await readGraph(merger(repository).graphql(DEQUEUE, { pull: id }), takenShape, clock.now());
    },
  };
}
