import type { RuleWords } from "./rule-words.ts";

/** What happened to a whole repository, and to the App's access to it. */
export const OF_REPOSITORIES = {
  archived: { what: "held: archived", next: "unarchive the repository" },
  caught_up: { what: "read again after a long absence", next: "nothing: its issues tell what follows" },
  coverage_changed: { what: "the App's repositories changed", next: "nothing: its issues tell what follows" },
  file_declined: {
    what: "the proposed file was declined",
    next: "`flotilla onboard <owner/name> --again` proposes it once more",
  },
  file_merged: { what: "the proposed file was merged", next: "nothing: the file applies from now on" },
  file_proposed: { what: "a file is proposed", next: "merge its pull request, or close it" },
  installation_changed: { what: "the installation changed", next: "nothing: its issues tell what follows" },
  lfs: { what: "Git LFS is not supported", next: "nothing: the work continues without those files" },
  not_listed: {
    what: "ended: not on the list",
    next: "add it to `repositories` in the configuration, restart, and say `/flotilla start`",
  },
  offered: { what: "offered, not started", next: "a person with write permission says `/flotilla start`" },
  privatized: { what: "private again", next: "nothing: what was held is offered again" },
  publicized: { what: "made public", next: "nothing: its agents are confined and continue" },
  removed: { what: "ended: no access", next: "install the App there again, and say `/flotilla start`" },
  renamed: { what: "renamed", next: "nothing: its agents continue" },
  repository_changed: { what: "the repository changed", next: "nothing: its issues tell what follows" },
  repository_deleted: { what: "ended: deleted", next: "nothing: its work is kept where Flotilla runs" },
  signed_commits: {
    what: "not started: signed commits",
    next: "exempt the App in the ruleset, and say `/flotilla start`",
  },
  repository_file_faulty: {
    what: "the repository's file is faulty",
    next: "correct the faults; check the file with `flotilla check --file` before you push it",
  },
  repository_file_gone: {
    what: "the repository's file is gone",
    next: "nothing: the operator's settings apply",
  },
  repository_file_taken: { what: "the repository's file applies", next: "nothing" },
  submodules: { what: "submodules are not supported", next: "nothing: the work continues without them" },
  suspended: { what: "held: suspended", next: "unsuspend the App's installation" },
  transferred: { what: "transferred", next: "nothing: its agents continue" },
  unarchived: { what: "continues: unarchived", next: "nothing: what was held is offered again" },
  uninstalled: { what: "ended: uninstalled", next: "install the App there again, and say `/flotilla start`" },
  unsuspended: { what: "continues: unsuspended", next: "nothing: what was held is offered again" },
} as const satisfies Readonly<Record<string, RuleWords>>;
