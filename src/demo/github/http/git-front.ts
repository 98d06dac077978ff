import type { IncomingMessage } from "node:http";
import { Writable } from "node:stream";
import { afterPush, type RefChange } from "../acts/pushed.ts";
import { mayDo } from "../auth/allow.ts";
import { authenticate } from "../auth/authenticate.ts";
import type { Tokens } from "../auth/tokens.ts";
import { readRefs, zeroSha } from "../git/refs.ts";
import { type GitAnswer, type readGitPath, serveGit } from "../git/smart-http.ts";
import type { Repository } from "../world/records.ts";
import type { Actor, World } from "../world/world.ts";
import { ApiError } from "./answer.ts";

type Asked = NonNullable<ReturnType<typeof readGitPath>>;

/**
 * Answers a git request. Fetching needs contents:read, pushing contents:write. Answers 401 without a valid token, 404
 * if the caller may not see the repository, and 403 if it may not push. Returns the status and the caller. The caller
 * of this function ends the response, so that everything that follows from a push exists before the client gets its
 * answer.
 */
export async function handleGit(
  parts: { world: World; tokens: Tokens; oneWrite: <T>(job: () => Promise<T>) => Promise<T> },
  request: IncomingMessage,
  response: GitAnswer,
  asked: Asked,
): Promise<{ status: number; actor: string }> {
  const { world, tokens, oneWrite } = parts;
  let actor: Actor;
  try {
    actor = authenticate(world, tokens, request.headers.authorization).actor;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    response.writeHead(401, { "www-authenticate": 'Basic realm="GitHub"', "content-type": "text/plain" });
    response.write("Bad credentials\n");
    return { status: 401, actor: "" };
  }
  const name = asked.name.toLowerCase();
  // git follows GitHub's redirect from the old name to the new one by itself.
  const repository = world.repositories.get(name) ?? world.renamed.get(name);
  const push = asked.service === "receive-pack";
  const status = refuse(actor, repository, push);
  if (status !== undefined || repository === undefined) {
    response.writeHead(status ?? 404, { "content-type": "text/plain" });
    response.write(status === 403 ? "Write access to repository not granted.\n" : "Repository not found.\n");
    return { status: status ?? 404, actor: actor.account.login };
  }
  if (push && !asked.advertise) {
    await oneWrite(async () => {
      const before = await readRefs(repository.directory);
      await serveGit(request, response, repository.directory, asked);
      await afterPush(world, repository, actor.account, moved(before, await readRefs(repository.directory)));
    });
  } else {
    await serveGit(request, response, repository.directory, asked);
  }
  return { status: 200, actor: actor.account.login };
}

/** Creates a response that is discarded: another one follows, or none. */
export function unheard(): GitAnswer {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  return Object.assign(nowhere, { writeHead: () => undefined });
}

function refuse(actor: Actor, repository: Repository | undefined, push: boolean): 403 | 404 | undefined {
  if (repository === undefined) return 404;
  if (!mayDo(actor, repository, { permission: "contents:read", role: "read" })) return 404;
  if (push && !mayDo(actor, repository, { permission: "contents:write", role: "write" })) return 403;
  if (push && repository.archived) return 403;
  return undefined;
}

/** Returns how refs changed between two readings. */
export function moved(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): RefChange[] {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names]
    .map((ref) => ({ ref, before: before.get(ref) ?? zeroSha, after: after.get(ref) ?? zeroSha }))
    .filter((change) => change.before !== change.after);
}
