import { runJob } from "./acts/actions.ts";
import { attach } from "./acts/attach.ts";
import { commitAsPerson } from "./acts/commit-as-person.ts";
import { deleteIssue } from "./acts/issues.ts";
import { dequeuePull } from "./acts/leave-queue.ts";
import { openForksPull, setDraft } from "./acts/pulls.ts";
import { protect } from "./acts/rules.ts";
import { transferIssue } from "./acts/transfer.ts";
import type { Tokens } from "./auth/tokens.ts";
import { ensurePerson } from "./create-world.ts";
import type { Dispatch } from "./http/dispatch.ts";
import { isObject } from "./http/fields.ts";
import { createPerson, type Person, type PersonExtras, PersonRefused } from "./person.ts";
import { readState } from "./state.ts";
import type { Account, Repository } from "./world/records.ts";
import { fullNameOf, type World } from "./world/world.ts";

/** Creates scripted people. Their acts take the same path as HTTP requests, without the socket. */
export function createPeople(parts: {
  world: World;
  tokens: Tokens;
  dispatch: Dispatch;
  oneWrite: <T>(job: () => Promise<T>) => Promise<T>;
  find: (name: string) => Repository;
}): { tokenOf: (login: string) => string; as: (login: string, repository: Repository) => Person } {
  const { world, tokens, dispatch, oneWrite, find } = parts;
  const known = new Map<string, string>();

  const tokenOf = (login: string): string => {
    const account = ensurePerson(world, login);
    const token = known.get(account.login) ?? tokens.add({ kind: "person", account });
    known.set(account.login, token);
    return token;
  };

  const callAs =
    (token: string, repository: Repository): Person["call"] =>
    async (method, path, body) => {
      const url = new URL(`${world.api}/repos/${fullNameOf(repository)}${path}`);
      const { answer } = await dispatch({
        method,
        path: url.pathname.replace(/^\/api\/v3/, ""),
        query: url.searchParams,
        authorization: `Bearer ${token}`,
        accept: "application/vnd.github+json",
        ifNoneMatch: undefined,
        body: body === undefined ? undefined : (JSON.parse(JSON.stringify(body)) as unknown),
      });
      const json = isObject(answer.json) ? { ...answer.json } : { items: answer.json };
      if (answer.status >= 400) {
        const { message = "", errors } = json as Record<string, unknown>;
        throw new PersonRefused(
          answer.status,
          `${String(message)} ${errors === undefined ? "" : JSON.stringify(errors)}`.trim(),
        );
      }
      return json;
    };

  const extrasFor = (account: Account, repository: Repository): PersonExtras => ({
    runJob: async (commit, job) =>
      await oneWrite(async () => await runJob(world, repository, account, { ...job, commit })),
    attach: (file) => attach(world, account, file),
    protect: async (rules) => await oneWrite(async () => await protect(repository, rules)),
    dequeue: async (number) =>
      await oneWrite(async () =>
        dequeuePull(world, repository, account, readState(repository).pull(number), "manual"),
      ),
    holdWorkflows: (commit) => void repository.heldCommits.add(commit),
    push: async (branch, files, message) =>
      await oneWrite(
        async () => await commitAsPerson(world, repository, account, { branch, files, message }),
      ),
    openForksPull: async (pull) =>
      await oneWrite(async () => (await openForksPull(world, repository, account, pull)).number),
    setDraft: async (number, draft) =>
      await oneWrite(async () =>
        setDraft(world, repository, account, readState(repository).pull(number), draft),
      ),
    deleteIssue: async (number) =>
      await oneWrite(async () =>
        deleteIssue(world, repository, account, readState(repository).issue(number)),
      ),
    transfer: async (number, to) =>
      await oneWrite(
        async () =>
          transferIssue(world, repository, find(to), account, readState(repository).issue(number)).number,
      ),
  });

  return {
    tokenOf,
    as: (login, repository) => {
      const token = tokenOf(login);
      return createPerson(
        login,
        token,
        callAs(token, repository),
        extrasFor(ensurePerson(world, login), repository),
      );
    },
  };
}
