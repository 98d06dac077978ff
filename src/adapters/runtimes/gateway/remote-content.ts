/** Parts of a request are not nested deeper than this, with room. */
const DEEPEST = 14;

/** Fields of the APIs with an address that the provider itself would fetch. */
const ADDRESSES = new Set(["image_url", "file_url", "url", "fileUri", "file_uri"]);
/** Fields whose content a model or a person wrote, or that describe tools: an address there is only a text. */
const WRITTEN = new Set([
  "tools",
  "arguments",
  "input",
  "args",
  "response",
  "functionCall",
  "metadata",
  "parameters",
]);

/**
 * Returns whether the provider would fetch something from the network for a message: a picture or file by its address.
 * An agent without a network could send what it knows to anybody that way.
 */
export function fetchesElsewhere(messages: readonly unknown[]): boolean {
  return messages.some((message) => isRemote(message, 0));
}

function isRemote(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null || depth > DEEPEST) return false;
  if (Array.isArray(value)) return value.some((each) => isRemote(each, depth + 1));
  return Object.entries(value).some(([name, each]: [string, unknown]) =>
    typeof each === "string"
      ? ADDRESSES.has(name) && !/^data:/i.test(each)
      : !WRITTEN.has(name) && isRemote(each, depth + 1),
  );
}
