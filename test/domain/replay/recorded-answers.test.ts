import { expect, it } from "vitest";
import { questionOf } from "../../../src/domain/replay/recorded-answers.ts";

const SHOP = { id: 7, owner: "acme", name: "shop", installationId: 5 };

it("names a question by what was asked, and a repository by its name", () => {
  expect(questionOf("issue", [SHOP, 3])).toBe("issue(acme/shop, 3)");
  expect(
    questionOf("permission", [
      { ...SHOP, installationId: 6 },
      { login: "eve", id: 9 },
    ]),
  ).toBe('permission(acme/shop, {"login":"eve","id":9})');
  expect(questionOf("identity", [])).toBe("identity()");
  expect(questionOf("pullRequests", [SHOP, null])).toBe("pullRequests(acme/shop, null)");
  expect(questionOf("x", [{ owner: "acme" }])).toBe('x({"owner":"acme"})');
});
