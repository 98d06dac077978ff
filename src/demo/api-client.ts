import { z } from "zod";

const agent = z.looseObject({
  key: z.string(),
  role: z.string(),
  issue: z.int(),
  attempt: z.int(),
  state: z.string(),
  phase: z.string().nullable(),
  pr: z.int().nullable(),
  reason: z.string().nullable(),
});
const agentPage = z.object({ agents: z.array(agent), next: z.string().nullable() });
export type ApiAgent = z.infer<typeof agent>;

const transition = z.looseObject({
  id: z.int(),
  at: z.string(),
  machine: z.string(),
  role: z.string().nullable(),
  issue: z.int(),
  actor: z.string(),
  event: z.string(),
  from: z.string(),
  to: z.string(),
  reason: z.string().nullable(),
});
export type ApiTransition = z.infer<typeof transition>;

/** The part of Flotilla's JSON API that the demo reads. */
export interface ApiClient {
  agents(): Promise<readonly ApiAgent[]>;
  /** Returns the transitions with an id above `after`, oldest first. */
  transitions(after: number): Promise<readonly ApiTransition[]>;
}

/** Creates a client. `url` is called for each request, because a restart changes it. */
export function createApiClient(url: () => string, token: string): ApiClient {
  const get = async (path: string): Promise<unknown> => {
    const answer = await fetch(`${url()}${path}`, { headers: { authorization: `Bearer ${token}` } });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
    return answer.json();
  };
  return {
    agents: async () => {
      const all: ApiAgent[] = [];
      for (let after = ""; ; ) {
        const page = agentPage.parse(await get(`/api/agents?limit=500${after}`));
        all.push(...page.agents);
        if (page.next === null) return all;
        after = `&after=${page.next}`;
      }
    },
    transitions: async (after) =>
      z.object({ transitions: z.array(transition) }).parse(await get(`/api/transitions?after=${after}`))
        .transitions,
  };
}
