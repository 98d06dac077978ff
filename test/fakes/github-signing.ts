import { createHash } from "node:crypto";
import type { RepositoryRef } from "../../src/domain/kernel/repository.ts";
import type { GitHub } from "../../src/domain/ports/github.ts";
import type { CommitToSign, Signing } from "../../src/domain/ports/github-changes.ts";
import type { FakeRepository } from "./github-world.ts";

type Failing = <Args extends unknown[], Result>(
  method: keyof GitHub,
  act: (...args: Args) => Result,
) => (...args: Args) => Promise<Result>;

/** Creates the commits that the fake GitHub makes and signs. It takes only signed ones where its repository says so. */
export function createFakeSigning(options: {
  readonly at: (ref: RepositoryRef) => FakeRepository;
  readonly failing: Failing;
  readonly wrote: (method: keyof Signing, what: string) => void;
}): Signing {
  const { at, failing, wrote } = options;
  return {
    takesOnlySigned: failing(
      "takesOnlySigned",
      (ref: RepositoryRef, _branches: readonly string[]) => at(ref).limits.signatures,
    ),
    makeSignedCommit: failing("makeSignedCommit", (ref: RepositoryRef, commit: CommitToSign) => {
      const { signed } = at(ref);
      const id = createHash("sha1").update(`signed ${signed.size}`).digest("hex");
      signed.set(id, commit);
      return id;
    }),
    moveBranch: failing("moveBranch", (ref: RepositoryRef, branch: string, _commit: string) => {
      at(ref).branchesAhead.add(branch);
      wrote("moveBranch", branch);
      return true;
    }),
  };
}
