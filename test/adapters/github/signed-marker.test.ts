import { describe, expect, it } from "vitest";
import { createSignedMarker } from "../../../src/adapters/github/app/signed-marker.ts";
import { PERSON } from "./answers.ts";
import { BOT } from "./mocked-github.ts";

const signedMarker = createSignedMarker("secret");
const body = signedMarker.sign(77, "status:3", "Working on it.");
const expected = { repositoryId: 77, key: "status:3", botId: BOT.id };

describe("a signed marker", () => {
  it("is recognised on what our bot wrote for that repository and key", () => {
    expect(signedMarker.recognises({ author: BOT, body }, expected)).toBe(true);
  });

  it.each([
    ["another author, though the marker is a true copy", { author: PERSON, body }, expected],
    ["another key", { author: BOT, body }, { ...expected, key: "status:4" }],
    ["another repository", { author: BOT, body }, { ...expected, repositoryId: 78 }],
    ["a forged mac", { author: BOT, body: body.replace(/mac=\w/, "mac=g") }, expected],
    ["a changed mac", { author: BOT, body: body.replace(/mac=\w{4}/, "mac=0000") }, expected],
    ["a shortened mac", { author: BOT, body: body.replace(/mac=\w{4}/, "mac=") }, expected],
    ["another secret", { author: BOT, body: createSignedMarker("else").sign(77, "status:3", "") }, expected],
    ["no marker", { author: BOT, body: "Working on it." }, expected],
  ])("is not recognised with %s", (_name, text, wanted) => {
    expect(signedMarker.recognises(text, wanted)).toBe(false);
  });
});
