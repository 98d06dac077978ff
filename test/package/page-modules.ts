/** Paths of all modules that the page at this address loads. Throws when one is not served, or is no JavaScript. */
export async function pageModules(url: string): Promise<readonly string[]> {
  const scripts = (await textOf(new URL(url))).matchAll(/<script[^>]* src="([^"]+)"/g);
  const found = new Set([...scripts].map(([, script = ""]) => new URL(script, url).href));
  // A set takes in what is added while it is gone through.
  for (const module of found) {
    const code = await textOf(new URL(module));
    if (/\bimport type\b|\binterface \w+ \{/.test(code)) throw new Error(`${module} holds types`);
    for (const [, path = ""] of code.matchAll(/\bfrom\s*"([^"]+)"/g)) found.add(new URL(path, module).href);
  }
  return [...found];
}

async function textOf(url: URL): Promise<string> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url.pathname}: ${answer.status}`);
  return answer.text();
}
