import { expect, it } from "vitest";
import { cronWords } from "../../../src/domain/schedules/cron-words.ts";

it.each([
  ["0 6 * * *", "every day at 06:00"],
  ["0 6 * * 1", "every Monday at 06:00"],
  ["30 18 * * MON-fri", "every Monday to Friday at 18:30"],
  ["5 6,18 * * 0,6", "every Sunday and Saturday at 06:05 and 18:05"],
  ["0 0 * * 7", "every Sunday at 00:00"],
  ["0 6 1 * *", "on the 1st of every month at 06:00"],
  ["0 6 2,3,11,22 1-3 *", "on the 2nd, 3rd, 11th and 22nd in January to March at 06:00"],
  ["0 6 * JUN 1", "every Monday in June at 06:00"],
  ["0 6 13 * 5", "on the 13th of every month and every Friday at 06:00"],
  ["*/15 * * * *", "every 15 minutes"],
  ["* * * * *", "every minute"],
  ["7 * * * 1-5", "every hour at 7 minutes past the hour, every Monday to Friday"],
  ["0 */4 * * *", "every 4 hours at 0 minutes past the hour"],
])("says in words when %s comes", (cron, words) => {
  expect(cronWords(cron)).toBe(words);
});

it.each([
  "0 6 L * *",
  "0 6 * * 1#2",
  "0-30 6 * * *",
  "*/10 6 * * *",
  "0 8-10 * * *",
  "0 6 1-5 * *",
  "0 6 * 13 *",
])("leaves %s as it is", (cron) => {
  expect(cronWords(cron)).toBeNull();
});
