/** Ids by which programs join lines; people have the place and the agent. */
const IDS: ReadonlySet<string> = new Set(
  "delivery effect repository issue run trace span agentId session".split(" "),
);
const IN_SENTENCE: ReadonlySet<string> = new Set("level time msg where what why by".split(" "));

/**
 * Returns what makes a line of the log, in JSON, one for people: time in UTC, level where something is wrong, place, agent, what
 * happened and why, then the other fields. Of an error only type and message. It remembers the names of repositories.
 */
export function createTextLine(): (json: string) => string {
  const names = new Map<string, string>();
  return (json) => {
    const parsed: unknown = JSON.parse(json);
    if (typeof parsed !== "object" || parsed === null) return json;
    const fields: Readonly<Record<string, unknown>> = { ...parsed };
    const { time, level, msg, where, agent, what, why, by, repository, issue } = fields;
    const id = JSON.stringify(repository);
    if (where !== undefined) names.set(id, textOf(where).replace(/#\d+$/, ""));
    const name = names.get(id);
    const place = where ?? (name === undefined || issue === undefined ? name : `${name}#${textOf(issue)}`);
    // What is decided about an agent is nothing that it does.
    const subject = msg === "decided" ? undefined : agent;
    const rest = Object.entries({ ...fields, agent: subject === undefined ? agent : undefined }).filter(
      ([key, value]) => !IDS.has(key) && !IN_SENTENCE.has(key) && !isNothing(value),
    );
    return [
      `${textOf(time).slice(11, 19)}Z`,
      ...(level === "info" ? [] : [textOf(level).toUpperCase()]),
      ...(place === undefined ? [] : [textOf(place)]),
      [
        ...(subject === undefined ? [] : [`${textOf(subject)} `]),
        textOf(what ?? msg),
        ...(why === undefined ? [] : [`: ${textOf(why)}`]),
        ...(by === undefined ? [] : [` (by ${textOf(by)})`]),
      ].join(""),
      ...rest.map(([key, value]) => `${key}=${fieldOf(value)}`),
    ].join("  ");
  };
}

function isNothing(value: unknown): boolean {
  return (
    value === undefined || value === null || value === false || (Array.isArray(value) && value.length === 0)
  );
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function fieldOf(value: unknown): string {
  const shown = isError(value) ? `${value.type}: ${value.message}` : value;
  return typeof shown === "string" && /^[\w./:#@+-]+$/.test(shown) ? shown : JSON.stringify(shown);
}

function isError(value: unknown): value is { readonly type: string; readonly message: string } {
  if (typeof value !== "object" || value === null || !("type" in value) || !("message" in value))
    return false;
  return "stack" in value && typeof value.type === "string" && typeof value.message === "string";
}
