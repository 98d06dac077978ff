import { agentKey } from "./agent-key.ts";

/** An agent's name, and the address of its page on the dashboard. */
export interface AgentPage {
  readonly name: string;
  readonly url: string;
}

/** Returns the agent's page; null where texts link to no dashboard. `repository` is a full name. */
export function agentPage(publicUrl: string | null, repository: string, name: string): AgentPage | null {
  if (publicUrl === null) return null;
  return { name, url: `${publicUrl}/agents/${encodeURIComponent(agentKey(repository, name))}` };
}

/** Returns the lines that link to the page, after a text; none where there is no page. */
export function pageLines(page: AgentPage | null): readonly string[] {
  return page === null ? [] : ["", `<sub>[See what ${page.name} does](${page.url})</sub>`];
}

/** Returns the text with a link to the page below it. */
export function withPageLink(text: string, page: AgentPage | null): string {
  return [text, ...pageLines(page)].join("\n");
}
