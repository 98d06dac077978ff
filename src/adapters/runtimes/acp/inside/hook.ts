import { text } from "node:stream/consumers";

/**
 * Runs beside an agent, as the hook that it starts before each of its tools: asks the host, and exits with 2 and the
 * reason on its standard error where the tool may not run. Arguments: the address to ask, the key. Standard input: the
 * call. Imports none of our modules, because they cannot be read inside.
 */
const [url = "", key = ""] = process.argv.slice(2);

try {
  const answer = await fetch(url, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: await text(process.stdin),
  });
  const { allow, reason } = await answer.json();
  if (allow !== true) deny(String(reason));
} catch {
  deny("The call could not be checked, so it was not made.");
}

function deny(reason: string): void {
  process.stderr.write(`${reason}\n`);
  process.exitCode = 2;
}
