import { agentMachine } from "../../domain/agents/agent.ts";
import { AGENT_STATES } from "../../domain/agents/agent-record.ts";
import { messageOf, OutsideError } from "../../domain/kernel/errors.ts";
import type { Clock } from "../../domain/ports/clock.ts";
import type { NodeTokens, TokenUse } from "../../domain/ports/github-app.ts";
import type { Log } from "../../domain/ports/log.ts";
import type { Store } from "../../domain/ports/store.ts";
import type { TokenRequestRow } from "../../domain/ports/token-tables.ts";
import { hasRole, isPresent, type NodeRow } from "../../domain/recovery/node.ts";
import { aboutRequest, type SealedToken } from "./ask-for-token.ts";
import { seal } from "./seal.ts";

/** How many requests one look answers. */
const AT_ONCE = 20;
/** A request that is as old has nobody who waits for it. */
const FORGOTTEN_MS = 60_000;
const NOT_ENDED = AGENT_STATES.filter((state) => !agentMachine.terminal.includes(state));

interface Given {
  readonly store: Pick<Store, "tokenRequests" | "nodes" | "records" | "effects" | "repositories">;
  readonly github: NodeTokens;
  readonly clock: Pick<Clock, "now">;
  readonly log: Log;
}

/**
 * Returns the look of a controller for nodes without the App's key: for each request it makes a token of one repository
 * with the permissions that the node's roles need, and seals it to the node's key. Never rejects.
 */
export function giveTokens(given: Given): () => Promise<void> {
  const { store, clock, log } = given;
  let swept = clock.now();
  const look = async () => {
    if (clock.now() - swept >= FORGOTTEN_MS) {
      swept = clock.now();
      await store.tokenRequests.dropOutside(swept - FORGOTTEN_MS, swept + FORGOTTEN_MS);
    }
    const open = await store.tokenRequests.open(AT_ONCE);
    if (open.length === 0) return;
    const nodes = await store.nodes.list();
    await Promise.all(open.map((request) => answer(given, request, nodes)));
  };
  return () =>
    look().catch((error: unknown) =>
      log.warn({ error: messageOf(error) }, "requests for tokens not answered"),
    );
}

async function answer(
  { store, github, clock, log }: Given,
  request: TokenRequestRow,
  nodes: readonly NodeRow[],
): Promise<void> {
  const { id, repositoryId } = request;
  const node = nodes.find(({ name }) => name === request.node);
  const decided =
    node?.epoch === request.epoch && isPresent(node, clock.now())
      ? await useOf(store, request, node)
      : { refusal: "this life of the machine is over" };
  const repository = await store.repositories.get(repositoryId);
  const publicKey = node?.publicKey ?? null;
  if ("refusal" in decided || repository === undefined || publicKey === null) {
    const refusal = "refusal" in decided ? decided.refusal : "its repository or its key is not known";
    log.warn({ node: request.node, repository: repositoryId, refusal }, "token refused to a machine");
    await store.tokenRequests.answer(id, { refusal });
    return;
  }
  try {
    const { token, expiresAt } = await github.tokenFor(repository, decided.use);
    const made: SealedToken = { token, expiresAt };
    const sealed = seal(publicKey, JSON.stringify(made), aboutRequest(request));
    await store.tokenRequests.answer(id, { sealed });
  } catch (error) {
    log.warn({ node: request.node, repository: repositoryId, error: messageOf(error) }, "token not made");
    // Else the next look tries again, as long as the machine waits.
    if (error instanceof OutsideError && ["retry", "park"].includes(error.consequence)) return;
    await store.tokenRequests.answer(id, { refusal: messageOf(error) });
  }
}

/** Returns what the node may use a token for; a runner gets those of the repositories that its agents work in. */
async function useOf(
  store: Given["store"],
  { purpose, repositoryId }: TokenRequestRow,
  node: NodeRow,
): Promise<{ readonly use: TokenUse } | { readonly refusal: string }> {
  if (hasRole(node, "runner") && (await worksIn(store, repositoryId, node)))
    return { use: purpose === "git" ? "git" : "agents" };
  if (hasRole(node, "web") && purpose === "api") return { use: "reading" };
  return { refusal: "no agent of the repository is at work on the machine" };
}

/** Whether an agent of the repository is on the node and has not ended, or has ended and leaves something to do. */
async function worksIn(
  { records, effects }: Given["store"],
  repositoryId: number,
  node: NodeRow,
): Promise<boolean> {
  const there = { repositoryId, node: node.name };
  if ((await records.ids("agent", { ...there, state: NOT_ENDED })).length > 0) return true;
  const agentId = await records.ids("agent", there);
  return agentId.length > 0 && (await effects.find({ agentId, state: ["pending", "leased"] })).length > 0;
}
