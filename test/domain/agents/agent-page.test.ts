import { expect, it } from "vitest";
import { agentPage, withPageLink } from "../../../src/domain/agents/agent-page.ts";

it("a text has a link to the agent's page below it", () => {
  const page = agentPage("https://flotilla.test", "acme/shop", "feat-dev-issue-42.2");
  expect(page?.url).toBe("https://flotilla.test/agents/acme%2Fshop%3Afeat-dev-issue-42.2");
  expect(withPageLink("Done.", page)).toBe(
    `Done.\n\n<sub>[See what feat-dev-issue-42.2 does](${page?.url})</sub>`,
  );
});

it("a text has no link where there is no address of the dashboard", () => {
  expect(withPageLink("Done.", agentPage(null, "acme/shop", "feat-dev-issue-42"))).toBe("Done.");
});
