import { describe, expect, it } from "vitest";
import { mockHttp } from "../http-mock.ts";
import { BASE, mintsToken, mockedGitHub, ORIGIN, REPOSITORY, stoppedClock } from "./mocked-github.ts";

const mocks = mockHttp(ORIGIN);
const REPO = `${BASE}/repos/octo/shop`;

function ready() {
  const scope = mocks();
  mintsToken(scope, { token: "one" });
  return { scope, github: mockedGitHub(stoppedClock()) };
}

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
    scope.get(asked).reply(200, answer);
    expect(await github.permission(REPOSITORY, "octocat")).toBe(level);
  });

  it("is asked once a minute, however the login is written", async () => {
    const scope = mocks();
    const clock = stoppedClock();
    mintsToken(scope, { token: "one" });
    scope.get(asked).reply(200, { permission: "write", role_name: "write" });
    const github = mockedGitHub(clock);
    await github.permission(REPOSITORY, "octocat");
    clock.move(59_999);
    expect(await github.permission(REPOSITORY, "OctoCat")).toBe("write");
    clock.move(1);
    scope.get(asked).reply(404, { message: "Not Found" });
    expect(await github.permission(REPOSITORY, "octocat")).toBe("none");
  });

  it("is unknown and not none when GitHub fails, and then asked again", async () => {
    const { scope, github } = ready();
    scope.get(asked).reply(500, { message: "Oops" });
    scope.get(asked).reply(200, { permission: "admin", role_name: "admin" });
    await expect(github.permission(REPOSITORY, "octocat")).rejects.toMatchObject({ code: "unavailable" });
    expect(await github.permission(REPOSITORY, "octocat")).toBe("admin");
  });
});
