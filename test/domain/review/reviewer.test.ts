import { expect, it } from "vitest";
import {
  isSameReviewer,
  personAs,
  type Reviewer,
  roleAs,
  UNKNOWN_ACCOUNT,
} from "../../../src/domain/review/reviewer.ts";
import { aPerson } from "../../factories/an-occurrence.ts";

const alice = personAs(aPerson("alice", { id: 5 }));
const before = { reviewer: "alice", account: UNKNOWN_ACCOUNT };

it.each<[string, Reviewer, Reviewer, boolean]>([
  ["an account under two logins", alice, { ...alice, reviewer: "al" }, true],
  ["two accounts that had one login, one after the other", alice, { ...alice, account: 6 }, false],
  ["a role", roleAs("reviewer"), roleAs("reviewer"), true],
  ["two roles", roleAs("reviewer"), roleAs("second"), false],
  ["a role and a person of its name", roleAs("alice"), alice, false],
  ["a person, and that login kept without its account", alice, before, true],
  ["a login kept without its account, and another person", before, { reviewer: "bob", account: 6 }, false],
  ["a role, and its name kept without that it is one", before, roleAs("alice"), true],
])("tells reviewers apart: %s", (_, one, other, same) => {
  expect([isSameReviewer(one, other), isSameReviewer(other, one)]).toEqual([same, same]);
});
