import { describe, expect, it } from "vitest";
import { mockHttp } from "../../http-mock.ts";
import { BASE, mintsToken, mockedGitHub, ORIGIN, REPOSITORY, stoppedClock } from "./mocked-github.ts";

const mocks = mockHttp(ORIGIN);
const REPO = `${BASE}/repos/octo/shop`;

function ready() {
  const scope = mocks();
  mintsToken(scope, { token: "one" });
  return { scope, github: mockedGitHub(stoppedClock()) };
}

const OCTOCAT = { id: 583_231, login: "octocat" };

describe("a person's permission", () => {
  const asked = `${REPO}/collaborators/octocat/permission`;

  it.each([
    ["maintain", { permission: "write", role_name: "maintain" }],
    ["triage", { permission: "read", role_name: "triage" }],
    ["write", { permission: "write", role_name: "our-own-role" }],
    ["read", { permission: "read" }],
    ["none", { permission: "unheard-of", role_name: "" }],
  ])("is %s for %o", async (level, answer) => {
    const { scope, github } = ready();
    scope.get(asked).reply(200, { ...answer, user: OCTOCAT });
    expect(await github.permission(REPOSITORY, OCTOCAT)).toBe(level);
  });

  it("is asked once a minute, however the login is written", async () => {
    const scope = mocks();
    const clock = stoppedClock();
    mintsToken(scope, { token: "one" });
    scope.get(asked).reply(200, { permission: "write", role_name: "write", user: OCTOCAT });
    const github = mockedGitHub(clock);
    await github.permission(REPOSITORY, OCTOCAT);
    clock.move(59_999);
    expect(await github.permission(REPOSITORY, { ...OCTOCAT, login: "OctoCat" })).toBe("write");
    clock.move(1);
    scope.get(asked).reply(404, { message: "Not Found" });
    expect(await github.permission(REPOSITORY, OCTOCAT)).toBe("none");
  });

  it("is asked at once where the answer must be fresh, and that answer is kept", async () => {
    const { scope, github } = ready();
    scope.get(asked).reply(200, { permission: "write", role_name: "write", user: OCTOCAT });
    expect(await github.permission(REPOSITORY, OCTOCAT)).toBe("write");
    scope.get(asked).reply(200, { permission: "read", role_name: "read", user: OCTOCAT });
    expect(await github.permission(REPOSITORY, { ...OCTOCAT, fresh: true })).toBe("read");
    expect(await github.permission(REPOSITORY, OCTOCAT)).toBe("read");
  });

  it("is unknown and not none when GitHub fails, and then asked again", async () => {
    const { scope, github } = ready();
    scope.get(asked).reply(500, { message: "Oops" });
    scope.get(asked).reply(200, { permission: "admin", role_name: "admin", user: OCTOCAT });
    await expect(github.permission(REPOSITORY, OCTOCAT)).rejects.toMatchObject({ code: "unavailable" });
    expect(await github.permission(REPOSITORY, OCTOCAT)).toBe("admin");
  });

  it("is asked by the login alone where no more is known, and then not mixed up with an account's", async () => {
    const { scope, github } = ready();
    scope.get(asked).times(2).reply(200, { permission: "write", role_name: "write", user: OCTOCAT });
    expect(await github.permission(REPOSITORY, { login: "octocat", id: null })).toBe("write");
    expect(await github.permission(REPOSITORY, OCTOCAT)).toBe("write");
    expect(scope.isDone()).toBe(true);
  });

  it.each([
    ["another account has the login by now", { ...OCTOCAT, id: 9 }],
    ["GitHub names no account", null],
  ])("is none when %s", async (_why, user) => {
    const { scope, github } = ready();
    scope.get(asked).reply(200, { permission: "admin", role_name: "admin", user });
    expect(await github.permission(REPOSITORY, OCTOCAT)).toBe("none");
  });

  it("goes with the person to another login, and is not inherited by whoever takes the old one", async () => {
    const { scope, github } = ready();
    scope.get(asked).reply(200, { permission: "write", role_name: "write", user: OCTOCAT });
    expect(await github.permission(REPOSITORY, OCTOCAT)).toBe("write");
    expect(await github.permission(REPOSITORY, { ...OCTOCAT, login: "octodog" })).toBe("write");
    scope.get(asked).reply(200, { permission: "read", role_name: "read", user: { ...OCTOCAT, id: 9 } });
    expect(await github.permission(REPOSITORY, { login: "octocat", id: 9 })).toBe("read");
  });
});
