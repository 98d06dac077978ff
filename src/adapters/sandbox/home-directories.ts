import { readFileSync } from "node:fs";

/** Accounts of people start at this number. Lower ones belong to the system, and their homes are system directories. */
const FIRST_PERSON = 1000;

/**
 * Returns the homes of root and of the people on this machine, which may contain credentials. Knows only accounts in
 * `passwd`, not those of a directory service.
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
    // A home that is the root directory, or contains the programs, cannot be hidden.
    return isPerson && /^\/(?!usr(?:\/|$)|$|proc(?:\/|$)|dev(?:\/|$))./.test(home) ? [home] : [];
  });
  return [...new Set(homes)];
}
