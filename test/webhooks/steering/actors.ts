import type nock from "nock";
import { type Account, GHOST } from "../../../src/domain/events/account.ts";
import type { Permission } from "../../../src/domain/ports/github.ts";
import {
  BASE,
  BOT,
  type mockedGitHub,
  REPOSITORY,
  type stoppedClock,
} from "../../adapters/github/mocked-github.ts";

/** Somebody who does something, and whether that may steer. `null` = the webhook names nobody. */
export interface Actor {
  readonly who: string;
  readonly account: Account | null;
  readonly may: boolean;
  /** What GitHub says of the login; nothing for those of whom it must not be asked. */
  readonly says?: Answer;
  /** What it said before, and how long ago that was asked. */
  readonly before?: { readonly login: string; readonly says: Answer; readonly ms: number };
  /** GitHub's error is told, too. */
  readonly unread?: true;
}

type Answer = { readonly id: number; readonly role: Permission } | { readonly status: 404 | 500 };

/** A bot of this id is on `policy.bots`. */
export const LISTED = 9_002;

let ids = 700;
function human(login: string, role: Permission, may: boolean): Actor {
  ids += 1;
  return { who: role, account: { id: ids, login, type: "User" }, may, says: { id: ids, role } };
}
const user = (id: number, login: string): Account => ({ id, login, type: "User" });
const bot = (id: number, login: string): Account => ({ id, login, type: "Bot" });

export const OWN: Actor = { who: "our own App", account: BOT, may: false };

export const ACTORS: readonly Actor[] = [
  human("ada", "admin", true),
  human("mia", "maintain", true),
  human("wim", "write", true),
  human("tia", "triage", false),
  human("rea", "read", false),
  human("non", "none", false),
  { who: "a stranger", account: user(801, "eve"), may: false, says: { status: 404 } },
  { who: "a listed bot", account: bot(LISTED, "helper[bot]"), may: true },
  { who: "another bot", account: bot(9_001, "renovate[bot]"), may: false },
  OWN,
  { who: "an App that is called like ours", account: bot(9_003, BOT.login), may: false },
  { who: "an App called like the listed one", account: bot(9_004, "helper[bot]"), may: false },
  {
    who: "a person with the id of no bot but its login",
    account: user(802, "helper[bot]"),
    may: false,
    says: { status: 404 },
  },
  { who: "an organization", account: { id: 803, login: "octo", type: "Organization" }, may: false },
  { who: "a mannequin", account: { id: 804, login: "mona", type: "Mannequin" }, may: false },
  { who: "an account of an unknown kind", account: { id: 805, login: "new", type: "Other" }, may: false },
  { who: "the ghost of a deleted account", account: GHOST, may: false },
  { who: "nobody", account: null, may: false },
  {
    who: "one of whom GitHub does not answer",
    account: user(806, "una"),
    may: false,
    says: { status: 500 },
    unread: true,
  },
  {
    who: "one who lost the permission 59 s ago",
    account: user(807, "lou"),
    may: true,
    says: { id: 807, role: "read" },
    before: { login: "lou", says: { id: 807, role: "write" }, ms: 59_000 },
  },
  {
    who: "one who lost the permission 61 s ago",
    account: user(808, "leo"),
    may: false,
    says: { id: 808, role: "read" },
    before: { login: "leo", says: { id: 808, role: "write" }, ms: 61_000 },
  },
  {
    who: "a writer under a new login",
    account: user(809, "ren-2"),
    may: true,
    says: { id: 809, role: "write" },
    before: { login: "ren", says: { id: 809, role: "write" }, ms: 1_000 },
  },
  {
    who: "a stranger who took a writer's old login",
    account: user(810, "ren"),
    may: false,
    says: { id: 810, role: "none" },
    before: { login: "ren", says: { id: 809, role: "write" }, ms: 1_000 },
  },
  {
    who: "a writer whose login is an admin's by now",
    account: user(811, "tom"),
    may: false,
    says: { id: 812, role: "admin" },
  },
];

/** GitHub's side: what it says of each login, 404 of others, and of whom it was asked. */
export interface Answers {
  readonly says: Map<string, Answer>;
  readonly asked: Set<string>;
}

export function answersOf(scope: nock.Scope): Answers {
  const answers: Answers = { says: new Map(ACTORS.flatMap(saidOf)), asked: new Set() };
  scope
    .persist()
    .get(/\/collaborators\/[^/]+\/permission$/)
    .reply(({ url }: Request) => {
      const login = decodeURIComponent(url.split("/").at(-2) ?? "");
      answers.asked.add(login);
      const said = answers.says.get(login) ?? { status: 404 };
      if ("status" in said) return [said.status, { message: "No" }];
      return [200, { permission: "read", role_name: said.role, user: { id: said.id } }];
    });
  scope
    .persist()
    .post(`${BASE}/app/installations/5/access_tokens`)
    .reply(201, { token: "t", expires_at: "2030-01-01T00:00:00Z", permissions: {} });
  return answers;
}

function saidOf({ account, says }: Actor): readonly [string, Answer][] {
  return account === null || says === undefined ? [] : [[account.login, says]];
}

/** Lets pass what came before the actor's deed. */
export async function begin(
  actor: Actor,
  world: {
    readonly github: Pick<ReturnType<typeof mockedGitHub>, "permission">;
    readonly clock: ReturnType<typeof stoppedClock>;
    readonly answers: Answers;
  },
): Promise<void> {
  const { github, clock, answers } = world;
  if (actor.before !== undefined) {
    const { login, says, ms } = actor.before;
    answers.says.set(login, says);
    await github.permission(REPOSITORY, { login, id: "id" in says ? says.id : null });
    answers.says.delete(login);
    clock.move(ms);
  }
  for (const [login, says] of saidOf(actor)) answers.says.set(login, says);
  answers.asked.clear();
}
