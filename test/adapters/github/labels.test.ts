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

describe("labels", () => {
  it("that somebody else creates at the same time are no failure", async () => {
    const { scope, github } = ready();
    scope.get(`${REPO}/labels/needs-human`).reply(404, { message: "Not Found" });
    scope
      .post(`${REPO}/labels`, { name: "needs-human", color: "d93f0b", description: "A person must act" })
      .reply(422, { message: "Validation Failed" });
    scope.get(`${REPO}/labels/needs-human`).reply(200, { name: "needs-human" });
    scope.post(`${REPO}/issues/3/labels`, { labels: ["needs-human"] }).reply(200, []);
    await expect(github.addLabels(REPOSITORY, 3, ["needs-human"])).resolves.toBeUndefined();
  });

  it("that GitHub refuses to create are a failure", async () => {
    const { scope, github } = ready();
    scope.get(`${REPO}/labels/needs-human`).twice().reply(404, { message: "Not Found" });
    scope.post(`${REPO}/labels`).reply(422, { message: "Validation Failed" });
    await expect(github.addLabels(REPOSITORY, 3, ["needs-human"])).rejects.toMatchObject({ code: "invalid" });
  });

  it("that are neither there nor ours stop everything before a write", async () => {
    const { scope, github } = ready();
    scope.get(`${REPO}/labels/bugg`).reply(404, { message: "Not Found" });
    await expect(github.addLabels(REPOSITORY, 3, ["bugg", "needs-human"])).rejects.toMatchObject({
      code: "invalid",
      consequence: "stop",
      advice: expect.stringContaining("bugg"),
    });
  });

  it("are asked for once: what was there counts as there for some minutes", async () => {
    const { scope, github } = ready();
    scope.get(`${REPO}/labels/bug`).reply(200, { name: "bug" });
    scope.post(`${REPO}/issues/3/labels`, { labels: ["bug"] }).reply(200, []);
    scope.post(`${REPO}/issues/4/labels`, { labels: ["Bug"] }).reply(200, []);
    await github.addLabels(REPOSITORY, 3, ["bug"]);
    await expect(github.addLabels(REPOSITORY, 4, ["Bug"])).resolves.toBeUndefined();
  });

  it("are not written when none is given", async () => {
    const nothing = mockedGitHub(stoppedClock()).addLabels(REPOSITORY, 3, []);
    await expect(nothing).resolves.toBeUndefined();
  });

  it("cannot be taken off an issue that is gone", async () => {
    const { scope, github } = ready();
    scope.delete(`${REPO}/issues/3/labels/bug`).reply(404, { message: "Not Found" });
    scope.get(`${REPO}/issues/3`).reply(404, { message: "Not Found" });
    await expect(github.removeLabel(REPOSITORY, 3, "bug")).rejects.toMatchObject({ code: "not_found" });
  });
});
