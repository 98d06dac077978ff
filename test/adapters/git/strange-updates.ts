import type { GitServer } from "./http-server.ts";

const OWN_BRANCH = /^refs\/heads\/flotilla\/[a-z0-9./-]+$/;
const CHECKPOINT = /^refs\/flotilla\/checkpoints\/[A-Za-z0-9._-]+$/;

/** What it is to sign. */
const TO_SIGN = /^refs\/flotilla\/signing\/flotilla\/[a-z0-9./-]+$/;

/** What the server was sent that is neither an agent's own branch, going forward, nor a checkpoint, nor something to sign. */
export async function strangeUpdates(server: GitServer, repository: string): Promise<readonly string[]> {
  const strange: string[] = [];
  for (const { before, after, ref } of await server.received()) {
    if (CHECKPOINT.test(ref) || TO_SIGN.test(ref)) continue;
    if (!OWN_BRANCH.test(ref)) strange.push(ref);
    else if (/^0+$/.test(after)) strange.push(`the deletion of ${ref}`);
    else if (!/^0+$/.test(before) && !(await isAncestor(server, repository, before, after)))
      strange.push(`${ref} by force`);
  }
  return strange;
}

/** What was sent and not taken is not there to compare: then nothing was overwritten. */
async function isAncestor(
  server: GitServer,
  repository: string,
  before: string,
  after: string,
): Promise<boolean> {
  const base = server.git(repository, "merge-base", "--is-ancestor", before, after);
  return base.then(
    () => true,
    (error: unknown) => !(error instanceof Error && "code" in error && error.code === 1),
  );
}
