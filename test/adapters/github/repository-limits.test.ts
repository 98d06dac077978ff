import { expect, it } from "vitest";
import { mockHttp } from "../../http-mock.ts";
import { BASE, mintsToken, mockedGitHub, ORIGIN, REPOSITORY, stoppedClock } from "./mocked-github.ts";

const mocks = mockHttp(ORIGIN);
const REPO = `${BASE}/repos/octo/shop`;

interface Answers {
  readonly rules?: readonly object[];
  readonly attributes?: string;
  readonly modules?: string;
}

function limitsOf({ rules = [], attributes, modules }: Answers) {
  const scope = mocks();
  mintsToken(scope, { token: "one" });
  const files = { ".gitattributes": attributes, ".gitmodules": modules };
  for (const [name, text] of Object.entries(files)) {
    const got = scope.get(`${REPO}/contents/${name}`).query({ ref: "main" });
    if (text === undefined) got.reply(404, { message: "Not Found" });
    else
      got.reply(200, {
        type: "file",
        encoding: "base64",
        sha: "a".repeat(40),
        size: text.length,
        content: Buffer.from(text).toString("base64"),
      });
  }
  scope.get(`${REPO}/rules/branches/main`).query({ page: 1, per_page: 100 }).reply(200, rules);
  return mockedGitHub(stoppedClock()).repositoryLimits(REPOSITORY, "main");
}

it("reads signatures from rulesets, LFS from the attributes and submodules from their file", async () => {
  expect(await limitsOf({ rules: [{ type: "deletion" }, { type: "required_signatures" }] })).toEqual({
    signatures: true,
    lfs: false,
    submodules: false,
  });
  expect(
    await limitsOf({ attributes: "*.txt text\n*.bin filter=lfs diff=lfs merge=lfs -text\n", modules: "" }),
  ).toEqual({ signatures: false, lfs: true, submodules: true });
});

it.each(["# *.bin filter=lfs", "*.bin filter=lfs-like", "*.bin text"])(
  "%j asks for no LFS",
  async (attributes) => {
    expect(await limitsOf({ attributes })).toMatchObject({ lfs: false });
  },
);
