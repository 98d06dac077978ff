/** What an agent may say that it cannot do, with the parts of the contract that it is then excused from. */
const EXCUSES: Readonly<Record<string, readonly string[]>> = {
  "It checks the arguments of tools itself: a call that does not fit the schema is corrected or refused before Flotilla sees it.":
    ["arguments reach a tool unchecked"],
  "It forgets a message whose answer was interrupted or refused, unless it has called a tool by then.": [
    "an interrupt ends the exchange as aborted, and the next message is answered",
    "a model that answers",
  ],
  "It loses a conversation that is resumed in the minute in which it began: the agent then begins with a handoff.":
    [
      "a stopped conversation is resumed",
      "a killed process is noticed",
      "a conversation comes back from its bytes",
      "what was said and remarked survives a kill",
    ],
};

/** Returns whether an agent with these words is excused from the part of the contract with this title. */
export function isExcused(title: string, cannot: readonly string[]): boolean {
  return cannot.some((sentence) => EXCUSES[sentence]?.some((begin) => title.startsWith(begin)) ?? false);
}
