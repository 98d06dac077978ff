import { type GitTried, tryGit } from "../../adapters/git/process/try-git.ts";
import { messageOf, OutsideError } from "../../domain/kernel/errors.ts";
import type { Finding, StartFindings } from "./finding.ts";
import { isOlder } from "./is-older.ts";

/**
 * Last release of its series, and the first with all fixes of May 2024 for vulnerabilities by which a fetched
 * repository could run programs.
 */
const OLDEST = "2.39.5";
/**
 * First fixed release of each later series. A distribution may have backported the fixes to an older version, which
 * cannot be detected.
 */
const CORRECTED = ["2.40.2", "2.41.1", "2.42.2", "2.43.4", "2.44.1"];

/** Checks that git is installed and recent enough, and runs nothing that a repository plants. */
export async function checkGit(): Promise<StartFindings> {
  const tried = await tryGit().catch((error: unknown) => {
    if (error instanceof OutsideError) return error;
    throw error;
  });
  if (!(tried instanceof OutsideError)) return judged(tried);
  if (tried.code === "git_missing")
    return {
      faults: [
        {
          about: "git",
          what: "is not installed, or not on the PATH of Flotilla",
          next: `Install git ${OLDEST} or newer, such as with \`apt-get install git\``,
        },
      ],
      advice: [],
    };
  const next = tried.advice ?? "Look at the message";
  return { faults: [{ about: "git", what: messageOf(tried), next }], advice: [] };
}

/** Judges the result of trying git. */
export function judged({ version, fired }: GitTried): StartFindings {
  const old: Finding = {
    about: "git",
    what: `is ${version}, older than ${OLDEST}: a repository can make it run programs`,
    next: `Install git ${OLDEST} or newer`,
  };
  const obeyed = fired.map((name) => ({
    about: "git",
    what: `ran a planted ${name} although our configuration forbids it: a repository could run programs as flotilla`,
    next: "See which git is first on PATH: a wrapper must not touch the GIT_ variables",
  }));
  const line = version.split(".").slice(0, 2).join(".");
  const corrected = CORRECTED.find((known) => known.startsWith(`${line}.`));
  return {
    faults: [...(isOlder(version, OLDEST) ? [old] : []), ...obeyed],
    advice:
      corrected === undefined || !isOlder(version, corrected)
        ? []
        : [
            {
              about: "git",
              what: `is ${version}; corrections came with ${corrected}, unless your distribution put them into its own`,
              next: "Look for CVE-2024-32004 in the change log of its package, or install a newer git",
            },
          ],
  };
}
