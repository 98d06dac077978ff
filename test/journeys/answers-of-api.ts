import { z } from "zod";

const agentsSchema = z.object({ agents: z.array(z.object({ key: z.string(), issue: z.int() })) });

/**
 * Returns everything that the API answers about its agents and their issues, with all events up to `last`, as one text.
 */
export async function answersOfApi(url: string, token: string, last: number): Promise<string> {
  const init = { headers: { authorization: `Bearer ${token}` } };
  const get = async (path: string): Promise<string> => {
    const answer = await fetch(`${url}${path}`, init);
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
    return answer.text();
  };
  const agents = await get("/api/agents");
  const of = agentsSchema
    .parse(JSON.parse(agents))
    .agents.flatMap(({ key, issue }) => [
      `/api/agents/${encodeURIComponent(key)}`,
      `/api/agents/${encodeURIComponent(key)}/transitions`,
      `/api/decisions?issue=${encodeURIComponent(`acme/app#${issue}`)}`,
    ]);
  const answers = await Promise.all([...of, "/api/deliveries", "/api/transitions"].map(get));
  return [agents, ...answers, await eventsUpTo(last, `${url}/api/events?after=0`, init)].join("\n");
}

/** The stream does not end, so it is closed after the last expected event. */
async function eventsUpTo(last: number, url: string, init: RequestInit): Promise<string> {
  const answer = await fetch(url, init);
  const decoder = new TextDecoder();
  let text = "";
  for await (const piece of answer.body ?? []) {
    text += decoder.decode(piece, { stream: true });
    if (text.includes(`\nid: ${last}\n`)) break;
  }
  return text;
}
