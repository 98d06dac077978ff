import { readFileSync } from "node:fs";

/** Accounts of people begin here; those before it are the system's own, and their homes are its directories. */
const FIRST_PERSON = 1000;

/**
 * Returns the homes of root and of the people of this machine, which may hold credentials; of accounts in `passwd` alone,
 * not of those that a directory service adds.
 */
export function homeDirectories(passwd = "/etc/passwd"): readonly string[] {
  let text: string;
  try {
    text = readFileSync(passwd, "utf8");
  } catch {
    return [];
  }
  const homes = text.split("\n").flatMap((line) => {
    const [, , uid = "", , , home = ""] = line.split(":");
    const isPerson = uid === "0" || Number(uid) >= FIRST_PERSON;
    // A home that is the root of all, or holds the programs, hides nothing of its own.
    return isPerson && /^\/(?!usr(?:\/|$)|$|proc(?:\/|$)|dev(?:\/|$))./.test(home) ? [home] : [];
  });
  return [...new Set(homes)];
}
