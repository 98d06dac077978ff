import type { RepositoryRef } from "../../src/domain/kernel/repository.ts";
import type { GitHub, RelatedIssue } from "../../src/domain/ports/github.ts";
import type { FakeRepository } from "./github-world.ts";

type Faked = Pick<GitHub, "addSubIssue" | "subIssues" | "parentOf">;

type Failing = <Args extends unknown[], Result>(
  method: keyof Faked,
  act: (...args: Args) => Result,
) => (...args: Args) => Promise<Result>;

/** Creates the sub-issues of the fake GitHub. */
export function createFakeSubIssues(options: {
  readonly at: (ref: RepositoryRef) => FakeRepository;
  readonly issueOf: (ref: RepositoryRef, number: number) => { readonly number: number };
  readonly relatedOf: (ref: RepositoryRef, number: number) => RelatedIssue;
  readonly failing: Failing;
  readonly wrote: (method: keyof Faked, what: number) => void;
}): Faked {
  const { at, issueOf, relatedOf, failing, wrote } = options;
  return {
    addSubIssue: failing("addSubIssue", (ref: RepositoryRef, number: number, part: number): void => {
      at(ref).parents.set(issueOf(ref, part).number, issueOf(ref, number).number);
      wrote("addSubIssue", number);
    }),
    subIssues: failing("subIssues", (ref: RepositoryRef, number: number): RelatedIssue[] => {
      issueOf(ref, number);
      return [...at(ref).parents]
        .filter(([, parent]) => parent === number)
        .map(([child]) => relatedOf(ref, child));
    }),
    parentOf: failing("parentOf", (ref: RepositoryRef, number: number): RelatedIssue | null => {
      const parent = at(ref).parents.get(issueOf(ref, number).number);
      return parent === undefined ? null : relatedOf(ref, parent);
    }),
  };
}
