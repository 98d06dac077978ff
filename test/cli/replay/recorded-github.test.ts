import { expect, it } from "vitest";
import { recordedGitHub } from "../../../src/cli/replay/decide-again.ts";
import { questionOf } from "../../../src/domain/replay/recorded-answers.ts";
import { aRepository } from "../../factories/an-occurrence.ts";

const REPOSITORY = aRepository();
const asked = (issue: number) => questionOf("blockedBy", [REPOSITORY, issue]);

it("answers as GitHub did then, with the code of what it refused, and says what is not on record", async () => {
  const { github, missing } = recordedGitHub({
    [asked(1)]: { answer: [2] },
    [asked(2)]: { refused: { code: "unsupported", message: "there is no such API" } },
    [asked(3)]: { refused: { code: "forbidden", message: "not for the App" } },
  });
  const ask = (issue: number) => github.blockedBy(REPOSITORY, issue);
  expect(await ask(1)).toEqual([2]);
  await expect(ask(2)).rejects.toMatchObject({ code: "unsupported", message: "there is no such API" });
  await expect(ask(3)).rejects.toMatchObject({ code: "unavailable", message: "not for the App" });
  expect(missing).toEqual([]);
  await expect(ask(4)).rejects.toMatchObject({ code: "unavailable" });
  expect(missing).toEqual([asked(4)]);
});
