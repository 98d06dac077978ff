/** What an agent may say that it cannot do, with the parts of the contract that it is then excused from. */
const EXCUSES: Readonly<Record<string, readonly string[]>> = {
  "It checks the arguments of tools itself: a call that does not fit the schema is corrected or refused before Flotilla sees it.":
    ["arguments reach a tool unchecked"],
};

/** Returns whether an agent with these words is excused from the part of the contract with this title. */
export function isExcused(title: string, cannot: readonly string[]): boolean {
  return cannot.some((sentence) => EXCUSES[sentence]?.some((begin) => title.startsWith(begin)) ?? false);
}
