import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { explained } from "../../src/cli/command-line.ts";
import { environmentRedactor } from "../../src/server/environment-redactor.ts";
import { PRIVATE_KEY } from "../adapters/github/mocked-github.ts";
import { temporaryDirectory } from "../adapters/store/temporary.ts";
import { ENCODINGS } from "../encodings.ts";
import { leakOf, leaksIn } from "../leaks-in.ts";
import { proved } from "../proved.ts";

/** None is a piece of another. */
const HELD = {
  MODEL_API_KEY: "c2803dfea53047866973f192e77b56e4",
  WEBHOOK_SECRET: "4ca9dbcfb475fb927d560dd97e750646",
  WEBHOOK_SECRET_PREVIOUS: "4493f70d9510b9c72c9c2d2eb8ff07e1",
  DASHBOARD_TOKEN: "1d2798b25430f7bd718eb2d0526a7ddb",
  HTTP_PASSWORD: "cbe9182c0417d69bd94e0cc71a7da43a",
};

it("takes every secret of the environment out of an error and its stack, in every encoding", () => {
  const cwd = temporaryDirectory();
  writeFileSync(join(cwd, "app.pem"), PRIVATE_KEY);
  const secrets = { ...HELD, PRIVATE_KEY: PRIVATE_KEY.split("\n")[1] ?? "" };
  const error = new Error(`It broke:\n${Object.values(secrets).map(leakOf).join("\n")}`);
  const said = environmentRedactor({ ...HELD, PRIVATE_KEY_PATH: "app.pem" }, cwd)(explained(error, "serve"));
  const leaks = leaksIn(said, secrets);
  expect(leaks).toEqual([]);
  expect(said).toMatch(/It broke: \[redacted\][^]*\n {4}at .*environment-redactor\.test\.ts/);
  proved({
    promise: "No secret of the environment stands in an error that a command shows.",
    test: "test/cli/environment-redactor.test.ts",
    figure: `${leaks.length} leaks of ${Object.keys(secrets).length} secrets in ${ENCODINGS.length} encodings`,
  });
});

it("leaves where a key lies, and everything else that is set", () => {
  const env = {
    PRIVATE_KEY_PATH: "./no-such-file.pem",
    SSH_AUTH_KEY_SOCK: "/run/agent.sock",
    // An invented home.
    HOME: "/home/somebody",
  };
  const text = "./no-such-file.pem cannot be read; /run/agent.sock; /home/somebody";
  expect(environmentRedactor(env, "/")(text)).toBe(text);
});

it("takes out a token that GitHub made meanwhile", () => {
  expect(environmentRedactor({}, "/")("with ghs_0123456789abcdef0123456789abcdef0123")).toBe(
    "with [redacted]",
  );
});
