import { expect, it } from "vitest";
import { LEVELS, type Level } from "../../../src/domain/access/level.ts";
import { mockHttp } from "../../http-mock.ts";
import { BASE, mintsToken, mockedGitHub, ORIGIN, REPOSITORY, stoppedClock } from "./mocked-github.ts";

const mocks = mockHttp(ORIGIN);
const REPO = `${BASE}/repos/octo/shop`;

const at = (level: Level) => mockedGitHub(stoppedClock(), undefined, undefined, level);

const WRITES = {
  comment: (github: ReturnType<typeof at>) => github.react(REPOSITORY, 9, "eyes"),
  draft: (github: ReturnType<typeof at>) => github.rerunJob(REPOSITORY, 9),
  merge: (github: ReturnType<typeof at>) =>
    github.mergePull(REPOSITORY, 4, { head: "a".repeat(40), method: "squash" }),
} as const;

const CASES = LEVELS.flatMap((level) =>
  (["comment", "draft", "merge"] as const)
    .filter((write) => LEVELS.indexOf(write) > LEVELS.indexOf(level))
    .map((write) => [level, write] as const),
);

// No answer is mocked: a request that left would fail as one that nobody expects.
it.each(CASES)("at %s no write that needs %s is sent, and no token is made for it", async (level, write) => {
  mocks();
  await expect(WRITES[write](at(level))).rejects.toMatchObject({ code: "withheld", level });
});

it("reads at every level, and writes where the level reaches", async () => {
  const scope = mocks();
  mintsToken(scope, { token: "one" });
  scope.get(`${REPO}/collaborators/al/permission`).reply(200, { permission: "write", user: { id: 3 } });
  expect(await at("observe").permission(REPOSITORY, { login: "al", id: 3 })).toBe("write");
  mintsToken(scope, { token: "two" });
  scope.post(`${REPO}/issues/comments/9/reactions`).reply(201, {});
  await at("comment").react(REPOSITORY, 9, "eyes");
});
