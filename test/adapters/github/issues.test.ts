import { expect, it } from "vitest";
import { mockHttp } from "../../http-mock.ts";
import { issueAnswer } from "./answers.ts";
import {
  BASE,
  mintsToken,
  mockedGitHub,
  ORIGIN,
  REPOSITORY,
  stoppedClock,
  tellsIdentity,
} from "./mocked-github.ts";

const mocks = mockHttp(ORIGIN);
const REPO = `${BASE}/repos/octo/shop`;

it.each([
  [2, { title: "A part", milestone: 2 }],
  [undefined, { title: "A part" }],
])("an issue of ours is opened in milestone %s", async (milestone, expected) => {
  const scope = mocks();
  mintsToken(scope, { token: "one" });
  tellsIdentity(scope);
  scope.get(`${REPO}/issues`).query(true).reply(200, []);
  const asked: unknown[] = [];
  scope
    .post(`${REPO}/issues`, (body: unknown) => asked.push(body) > 0)
    .reply(201, issueAnswer(9, { milestone: milestone ? { number: 2, title: "One", due_on: null } : null }));
  const issue = await mockedGitHub(stoppedClock()).createIssue(REPOSITORY, {
    key: "part",
    title: "A part",
    body: "Do it.",
    milestone,
  });
  expect(asked).toEqual([{ ...expected, body: expect.stringMatching(/^Do it\.\n/) }]);
  expect(issue.milestone).toEqual(milestone ? { number: 2, title: "One", dueOn: null } : null);
});
