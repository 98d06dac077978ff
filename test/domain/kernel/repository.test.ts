import { expect, test } from "vitest";
import { fullName, parseFullName } from "../../../src/domain/kernel/repository.ts";

test.each([
  ["acme", "shop"],
  ["a-b-c", "shop.js"],
  ["Acme", "_.-"],
])("the name of %s's repository %s is read back as it was printed", (owner, name) => {
  expect(parseFullName(fullName({ owner, name }))).toEqual({ owner, name });
});

test.each(["", "acme", "acme/", "/shop", "acme/shop/more", "ac me/shop", "acme/sh op", "acme_x/shop"])(
  "%j names no repository",
  (text) => {
    expect(parseFullName(text)).toBeUndefined();
  },
);
