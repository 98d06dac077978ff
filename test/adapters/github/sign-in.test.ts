import { createServer } from "node:http";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createGitHubSignIn } from "../../../src/adapters/github/app/sign-in.ts";
import { GitHubError } from "../../../src/domain/kernel/errors.ts";

const GOOD = {
  "/login/oauth/access_token": '{"access_token":"a secret"}',
  "/user": '{"id":9,"login":"octocat"}',
};
let answers: Readonly<Record<string, string>> = GOOD;
let status = 200;

const server = createServer((request, response) => {
  response.writeHead(status, { "content-type": "application/json" }).end(answers[request.url ?? ""]);
});
let url = "";
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  url = `http://127.0.0.1:${address.port}`;
});
afterAll(() => void server.close());

function whoIs(damage: Readonly<Record<string, string>>, answered = 200) {
  answers = { ...GOOD, ...damage };
  status = answered;
  const signIn = createGitHubSignIn({ site: url, apiUrl: url, clientId: "id", clientSecret: "secret" });
  return signIn.whoIs({ code: "c", verifier: "v", returnTo: "http://127.0.0.1/done" });
}

it("says who it is", async () => {
  await expect(whoIs({})).resolves.toEqual({ id: 9, login: "octocat" });
});

const TOKEN = "/login/oauth/access_token";
it.each<[string, Readonly<Record<string, string>>, string]>([
  [
    "a code that was used",
    { [TOKEN]: '{"error":"bad_verification_code"}' },
    `${TOKEN} answered 200, but access_token: `,
  ],
  ["a token that is none", { [TOKEN]: '{"access_token":7}' }, `${TOKEN} answered 200, but access_token: `],
  ["a page", { [TOKEN]: "<html>a secret" }, `${TOKEN} answered 200, but the answer: `],
  ["nothing", { [TOKEN]: "" }, `${TOKEN} answered 200, but the answer: `],
  ["a list", { "/user": "[]" }, "/user answered 200, but the answer: "],
  ["no id", { "/user": '{"login":"a secret"}' }, "/user answered 200, but id: "],
  [
    "an id that no number holds",
    { "/user": '{"id":99007199254740993,"login":"x"}' },
    "/user answered 200, but id: ",
  ],
  ["half of it", { "/user": '{"id":9,"lo' }, "/user answered 200, but the answer: "],
])("names the field where what comes is %s, and shows nothing of it", async (_, damage, text) => {
  const error: unknown = await whoIs(damage).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(GitHubError);
  expect(error).toMatchObject({ consequence: "tell", message: expect.stringContaining(text) });
  expect(String(error)).not.toContain("a secret");
});

it("names the status of a refusal", async () => {
  await expect(whoIs({}, 502)).rejects.toMatchObject({
    status: 502,
    message: expect.stringContaining(`${TOKEN} answered 502`),
  });
});
