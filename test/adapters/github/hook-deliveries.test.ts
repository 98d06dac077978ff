import { expect, it } from "vitest";
import { mockHttp } from "../../http-mock.ts";
import { BASE, mockedGitHub, NOON, ORIGIN, stoppedClock } from "./mocked-github.ts";

const mocks = mockHttp(ORIGIN);
const LIST = `${BASE}/app/hook/deliveries`;

const sent = (id: number, secondsAgo: number) => ({
  id,
  guid: `guid-${id}`,
  event: "issues",
  delivered_at: new Date(NOON - secondsAgo * 1000).toISOString(),
});
const attempt = (id: number, secondsAgo: number) => ({
  id,
  guid: `guid-${id}`,
  event: "issues",
  at: NOON - secondsAgo * 1000,
});

it("reads the App's attempts by the cursor of each page, as far back as is asked", async () => {
  const scope = mocks();
  const next = (cursor: string) => ({ link: `<${ORIGIN}${LIST}?per_page=100&cursor=${cursor}>; rel="next"` });
  scope
    .get(LIST)
    .query({ per_page: "100" })
    .reply(200, [sent(9, 1), sent(8, 2)], next("v1_8"));
  scope
    .get(LIST)
    .query({ per_page: "100", cursor: "v1_8" })
    .reply(200, [sent(7, 60), sent(6, 61)], next("v1_6"));
  const github = mockedGitHub(stoppedClock());
  expect(await github.hookAttempts(NOON - 60_000)).toEqual([attempt(9, 1), attempt(8, 2), attempt(7, 60)]);
});

it("ends with the last page", async () => {
  const scope = mocks();
  const link = { link: `<${ORIGIN}${LIST}?cursor=v1_0>; rel="prev"` };
  scope
    .get(LIST)
    .query(true)
    .reply(200, [sent(9, 1)], link);
  expect(await mockedGitHub(stoppedClock()).hookAttempts(0)).toEqual([attempt(9, 1)]);
});

it("asks as the App for one more attempt, once", async () => {
  const scope = mocks({ reqheaders: { authorization: /^bearer ey/i } });
  const post = scope.post(`${LIST}/9/attempts`).reply(202, {});
  await mockedGitHub(stoppedClock()).redeliver(9);
  expect(post.isDone()).toBe(true);
});

it("says that an attempt is gone", async () => {
  mocks().post(`${LIST}/9/attempts`).reply(404, { message: "Not Found" });
  await expect(mockedGitHub(stoppedClock()).redeliver(9)).rejects.toMatchObject({ code: "not_found" });
});
