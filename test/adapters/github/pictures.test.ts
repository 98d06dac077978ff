import nock from "nock";
import { describe, expect, it } from "vitest";
import { mockHttp } from "../../http-mock.ts";
import { mockedGitHub, NOON, REPOSITORY, stoppedClock } from "./mocked-github.ts";

const API = "https://api.github.com";
const mocks = mockHttp(API);
const asset = "0a1b2c3d-0000-4000-8000-00000000000f";
const place = { kind: "issue", number: 3 } as const;
const ISSUE = "/repos/octo/shop/issues/3";
const STORE = "https://private-user-images.githubusercontent.com";
const PATH = `/583231/42-${asset}.png`;
const bytes = Buffer.from("\u0089PNG, for all that this test knows", "latin1");

function shows(html: string, path = ISSUE) {
  const scope = mocks();
  scope
    .post("/app/installations/5/access_tokens")
    .reply(201, { token: "one", expires_at: new Date(NOON + 3_600_000).toISOString(), permissions: {} });
  scope
    .get(path)
    .matchHeader("accept", /full\+json/)
    .reply(200, { body_html: html }, { etag: '"1"' });
  return { scope, github: mockedGitHub(stoppedClock(), API) };
}

const shown = `<p><a href="${STORE}${PATH}?jwt=a"><img alt="x" src="${STORE}${PATH}?jwt=a&amp;b=c"></a></p>`;
const stored = () => nock(STORE, { badheaders: ["authorization", "cookie"] }).get(`${PATH}?jwt=a&b=c`);

describe("a picture", () => {
  it("is read from the signed address in the HTML of its text, without our token", async () => {
    const { github } = shows(shown);
    const store = stored().reply(200, bytes, { "content-type": "image/png" });
    const read = await github.picture(REPOSITORY, { place, asset });
    expect("bytes" in read && Buffer.from(read.bytes).equals(bytes)).toBe(true);
    expect(store.isDone()).toBe(true);
  });

  it("of a comment is looked up there, and each time anew, since its address holds for minutes", async () => {
    const comment = "/repos/octo/shop/issues/comments/9";
    const { github } = shows(shown, comment);
    nock(API, { badheaders: ["if-none-match"] })
      .get(comment)
      .reply(200, { body_html: "" });
    stored().reply(404, "");
    const wanted = { place: { kind: "comment", number: 3, id: 9 }, asset } as const;
    await github.picture(REPOSITORY, wanted);
    expect(await github.picture(REPOSITORY, wanted)).toEqual({
      fault: "GitHub shows no such attachment there",
    });
  });

  it.each([
    ["on another server", `<img src="https://evil.example.com${PATH}">`],
    [
      "on a server with nearly the same name",
      `<img src="https://private-user-images.githubusercontent.com.evil.example${PATH}">`,
    ],
    [
      "over a line that anybody can read",
      `<img src="http://private-user-images.githubusercontent.com${PATH}">`,
    ],
    ["with a name and password", `<img src="https://a:b@private-user-images.githubusercontent.com${PATH}">`],
    ["at another port", `<img src="https://private-user-images.githubusercontent.com:8443${PATH}">`],
    ["of another name", `<img src="${STORE}/583231/42-ffffffff-0000-4000-8000-00000000000f.png">`],
    ["on this machine", `<img src="http://127.0.0.1${PATH}">`],
  ])("%s is not read", async (_, html) => {
    const { github } = shows(html);
    expect(await github.picture(REPOSITORY, { place, asset })).toEqual({
      fault: "GitHub shows no such attachment there",
    });
  });

  it.each([
    ["is gone", 404, "", {}, "GitHub does not have it any more (404)"],
    ["is refused", 403, "", {}, "GitHub answered with status 403"],
    [
      "is a page",
      200,
      "<html>",
      { "content-type": "text/html; charset=utf-8" },
      "GitHub sent no picture but a page",
    ],
    ["is a film", 200, "x", { "content-type": "video/mp4" }, "GitHub sent no picture but video/mp4"],
    ["has no type", 200, "x", {}, "GitHub sent no picture but no type"],
    [
      "says that it is too large",
      200,
      "x",
      { "content-type": "image/png", "content-length": String(11 * 1024 * 1024) },
      "it has more than 10 MiB",
    ],
    [
      "is larger than it says",
      200,
      Buffer.alloc(10 * 1024 * 1024 + 1),
      { "content-type": "image/png" },
      "it has more than 10 MiB",
    ],
  ])("that %s is told", async (_, status, body, headers, fault) => {
    const { github } = shows(shown);
    stored().reply(status, body, headers);
    expect(await github.picture(REPOSITORY, { place, asset })).toEqual({ fault });
  });

  it("that leads to another address is not followed", async () => {
    const { github } = shows(shown);
    stored().reply(302, "", { location: "https://evil.example.com/a.png" });
    expect(await github.picture(REPOSITORY, { place, asset })).toMatchObject({
      fault: expect.stringContaining("GitHub did not send it"),
    });
  });
});
