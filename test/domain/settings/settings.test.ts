import { describe, expect, test } from "vitest";
import { allowsRepository } from "../../../src/domain/settings/settings.ts";

describe("the allow-list of repositories", () => {
  test.each([
    ["*/*", "acme/shop", true],
    ["acme/*", "acme/shop", true],
    ["acme/*", "Acme/Shop", true],
    ["acme/*", "acme-evil/shop", false],
    ["acme/*", "evil/acme", false],
    ["acme/shop", "acme/shop", true],
    ["acme/shop", "acme/shop-2", false],
    ["acme/shop", "xacme/shop", false],
    ["acme/s.op", "acme/shop", false],
    ["acme/web-*", "acme/web-shop", true],
    ["acme/web-*", "acme/shop", false],
    ["*", "acme/shop", false],
  ])("%s: %s is %s", (pattern, name, allowed) => {
    expect(allowsRepository({ repositories: [pattern] }, name)).toBe(allowed);
  });

  test("one pattern that matches is enough, and none allow nothing", () => {
    expect(allowsRepository({ repositories: ["a/b", "acme/*"] }, "acme/shop")).toBe(true);
    expect(allowsRepository({ repositories: [] }, "acme/shop")).toBe(false);
  });
});
