import { expect, it } from "vitest";
import { newAgentRecord } from "../../../src/domain/agents/agent.ts";
import { blockerWake } from "../../../src/domain/blockers/blocker-wake.ts";
import { aRepository } from "../../factories/an-occurrence.ts";
import { AT } from "../../factories/moment.ts";

const shop = aRepository({ id: 7, owner: "acme", name: "shop" });
const agent = { ...newAgentRecord, id: 1, repositoryId: 7 };
const told = (blocker: string, found: typeof shop) =>
  blockerWake(agent, { repository: blocker, number: 3 }, "was closed", { repository: found, at: AT }).detail;

it("names a blocker of the own repository by its number, and another in full, wherever it was found out", () => {
  const other = aRepository({ id: 9, owner: "acme", name: "parts" });
  expect(told("acme/shop", shop)).toBe("#3, which blocked you, was closed.");
  expect(told("acme/parts", shop)).toBe("acme/parts#3, which blocked you, was closed.");
  expect(told("acme/parts", other)).toBe("acme/parts#3, which blocked you, was closed.");
});
