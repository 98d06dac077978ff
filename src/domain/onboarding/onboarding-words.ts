import type { ProposalState } from "./proposal-state.ts";
import { PROPOSED_FILE } from "./proposed.ts";

/** Returns why no file is proposed, and what to do next. `name` = `owner/name`. */
export function proposalWords(
  proposal: Exclude<ProposalState, { readonly kind: "free" | "open" }>,
  name: string,
): { readonly why: string; readonly hint: string } {
  const again = `\`flotilla onboard ${name} --again\` opens another one`;
  switch (proposal.kind) {
    case "archived":
      return { why: `${name} is archived`, hint: "unarchive it, then ask again" };
    case "there":
      return {
        why: `${name} has ${PROPOSED_FILE} on its default branch${proposal.merged === null ? "" : `, merged as #${proposal.merged.number}`}`,
        hint: "nothing to propose: change that file by a pull request of your own",
      };
    case "foreign":
      return {
        why: `${proposal.pull.url} stands in the way: it is somebody else's, from ${proposal.branch}`,
        hint: "close or merge it, or rename its branch; nobody's branch is overwritten",
      };
    case "level":
      return {
        why: `the level of ${name} is ${proposal.level}, at which no pull request leaves`,
        hint: "set its level to draft or further in the configuration and restart; --print shows what would be proposed",
      };
    case "declined":
      return { why: `${proposal.pull.url} was closed without merging`, hint: again };
    case "removed":
      return {
        why: `${proposal.pull.url} was merged, and the file was removed from the default branch since`,
        hint: again,
      };
  }
}
