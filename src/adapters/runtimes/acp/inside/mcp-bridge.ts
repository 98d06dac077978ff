import { createInterface } from "node:readline";

/**
 * Runs beside an agent that reaches no MCP server over HTTP, as the server that it starts: passes each message on to the
 * host's server, and writes what that answers. Arguments: the host's address, the key. Imports none of our modules, because
 * they cannot be read inside.
 */
const [url = "", key = ""] = process.argv.slice(2);

createInterface({ input: process.stdin })
  .on("line", (line) => void pass(line))
  // The agent has closed the connection, so nobody reads the answer.
  .on("close", () => process.exit());

async function pass(line: string): Promise<void> {
  const { id } = messageIn(line);
  const answers = await asked(line).catch((): string[] => []);
  // An agent waits without end for the answer to a request.
  if (answers.length === 0 && id !== undefined)
    answers.push(
      JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32_603, message: "The host did not answer." } }),
    );
  for (const answer of answers) process.stdout.write(`${answer}\n`);
}

/** Returns the messages by which the host answers: its JSON, or those that it streams. */
async function asked(body: string): Promise<string[]> {
  const headers = {
    authorization: `Bearer ${key}`,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };
  const answer = await fetch(url, { method: "POST", headers, body });
  const text = await answer.text();
  const lines = text.split("\n").map((line) => line.replace(/^data: /, ""));
  return lines.filter((line) => "jsonrpc" in messageIn(line));
}

function messageIn(line: string): { readonly id?: unknown; readonly jsonrpc?: unknown } {
  try {
    return Object(JSON.parse(line));
  } catch {
    return {};
  }
}
