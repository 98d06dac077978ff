const DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"] as const;
const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
] as const;

/** Returns when a cron line of five fields comes, such as "every Monday at 06:00"; null for one that has no short words. */
export function cronWords(cron: string): string | null {
  const [minute = "", hour = "", dayOfMonth = "", month = "", dayOfWeek = ""] = cron.trim().split(/\s+/);
  const time = timeWords(minute, hour);
  const months = month === "*" ? "" : listed(month, { first: 1, names: MONTHS });
  const weekdays = dayOfWeek === "*" ? "" : listed(dayOfWeek, { first: 0, names: DAYS });
  const days = dayOfMonth === "*" ? "" : numbered(dayOfMonth);
  if (time === null || months === null || weekdays === null || days === null) return null;
  const within = months === "" ? "" : ` in ${months}`;
  // Where both are given, cron means one or the other.
  const parts = [
    ...(days === "" ? [] : [`on the ${days}${months === "" ? " of every month" : ""}`]),
    ...(weekdays === "" ? [] : [`every ${weekdays}`]),
  ];
  const when = parts.length === 0 ? (time.isOften ? "" : "every day") : parts.join(" and ");
  return time.isOften
    ? [time.words, when, within.trim()].filter((part) => part !== "").join(", ")
    : `${when}${within} ${time.words}`;
}

interface TimeWords {
  readonly words: string;
  /** Whether it comes several times on a day without naming each time. */
  readonly isOften: boolean;
}

function timeWords(minute: string, hour: string): TimeWords | null {
  const step = /^\*\/(\d{1,2})$/;
  const [, minutes] = step.exec(minute) ?? [];
  if (minutes !== undefined)
    return hour === "*" ? { words: `every ${minutes} minutes`, isOften: true } : null;
  if (minute === "*") return hour === "*" ? { words: "every minute", isOften: true } : null;
  if (!/^\d{1,2}$/.test(minute)) return null;
  const past = `at ${Number(minute)} minutes past the hour`;
  const [, hours] = step.exec(hour) ?? [];
  if (hours !== undefined) return { words: `every ${hours} hours ${past}`, isOften: true };
  if (hour === "*") return { words: `every hour ${past}`, isOften: true };
  if (!/^\d{1,2}(?:,\d{1,2})*$/.test(hour)) return null;
  const times = hour.split(",").map((one) => `${one.padStart(2, "0")}:${minute.padStart(2, "0")}`);
  return { words: `at ${joined(times)}`, isOften: false };
}

interface Names {
  /** The number of the first name. */
  readonly first: number;
  readonly names: readonly string[];
}

/** Returns the names of a field: `1-5` as "Monday to Friday". */
function listed(field: string, names: Names): string | null {
  const parts = field.split(",").map((part) => {
    const ends = part.split("-").map((end) => named(end, names));
    if (ends.length > 2 || ends.some((end) => end === null)) return null;
    return ends.join(" to ");
  });
  return parts.every((part) => part !== null) ? joined(parts) : null;
}

/** Days and months may be written as numbers, or by the first three letters of their names. */
function named(text: string, { first, names }: Names): string | null {
  if (/^\d{1,2}$/.test(text)) {
    const index = Number(text) - first;
    // Sunday is 0 and 7.
    return names[first === 0 ? index % names.length : index] ?? null;
  }
  return names.find((name) => name.slice(0, 3).toLowerCase() === text.toLowerCase()) ?? null;
}

/** Returns the days of a month: `1,15` as "1st and 15th". */
function numbered(field: string): string | null {
  return /^\d{1,2}(?:,\d{1,2})*$/.test(field) ? joined(field.split(",").map(ordinal)) : null;
}

function ordinal(text: string): string {
  const number = Number(text);
  const isTeen = number >= 11 && number <= 13;
  const ending = isTeen ? "th" : (["th", "st", "nd", "rd"][number % 10] ?? "th");
  return `${number}${ending}`;
}

function joined(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}
