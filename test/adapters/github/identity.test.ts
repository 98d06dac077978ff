import { expect, it } from "vitest";
import { mockHttp } from "../../http-mock.ts";
import { BASE, BOT, mockedGitHub, ORIGIN, stoppedClock, tellsIdentity } from "./mocked-github.ts";

const mocks = mockHttp(ORIGIN);
const FLOTILLA = { slug: "flotilla", appId: 12, botLogin: "flotilla[bot]", botId: 41 };

it("is read with the App's key and an installation's token, and then known", async () => {
  tellsIdentity(mocks());
  const github = mockedGitHub(stoppedClock());
  expect(await github.identity()).toEqual(FLOTILLA);
  expect(await github.identity()).toEqual(FLOTILLA);
});

it("is read as nobody before there is an installation that is not suspended", async () => {
  const scope = mocks();
  scope.get(`${BASE}/app`).reply(200, { id: 12, slug: "flotilla" });
  const suspended = [{ id: 5, suspended_at: "2026-01-01T00:00:00Z" }];
  scope.get(`${BASE}/app/installations`).query(true).reply(200, suspended);
  mocks({ badheaders: ["authorization"] })
    .get(`${BASE}/users/flotilla%5Bbot%5D`)
    .reply(200, BOT);
  expect(await mockedGitHub(stoppedClock()).identity()).toEqual(FLOTILLA);
});

it("is asked again after a failure", async () => {
  const scope = mocks();
  scope.get(`${BASE}/app`).reply(500, { message: "Oops" });
  const github = mockedGitHub(stoppedClock());
  await expect(github.identity()).rejects.toMatchObject({ code: "unavailable" });
  tellsIdentity(scope);
  expect(await github.identity()).toEqual(FLOTILLA);
});

it("is refused when the id is not that of a GitHub App", async () => {
  mocks().get(`${BASE}/app`).reply(200, { id: 12 });
  await expect(mockedGitHub(stoppedClock()).identity()).rejects.toMatchObject({
    code: "invalid",
    advice: expect.stringContaining("APP_ID"),
  });
});
