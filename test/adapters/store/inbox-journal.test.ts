import {
  constants,
  existsSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { InboxJournal } from "../../../src/adapters/store/sqlite/inbox-journal.ts";
import { encodeFrame } from "../../../src/adapters/store/sqlite/journal-frame.ts";
import type { NewDelivery } from "../../../src/domain/kernel/rows.ts";
import { delivery } from "./samples.ts";
import { temporaryDirectory } from "./temporary.ts";

const some = (...guids: readonly string[]) =>
  guids.map((guid) => delivery({ guid, payload: `{"title":"Größe ${guid}"}` }));

/** What was moved, in order, and the function that takes it. */
function taker() {
  const taken: NewDelivery[] = [];
  const take = async (deliveries: readonly NewDelivery[]) => void taken.push(...deliveries);
  return { taken, take, guids: () => taken.map(({ guid }) => guid) };
}

async function moved(path: string): Promise<readonly NewDelivery[]> {
  const journal = await InboxJournal.open(path);
  const { taken, take } = taker();
  await journal.move(take);
  await journal.close();
  return taken;
}

const full = () => Promise.reject(new Error("database or disk is full"));

const aPath = () => join(temporaryDirectory(), "inbox");

test("what was appended moves once, in order and unchanged, and leaves an empty file", async () => {
  const path = aPath();
  const journal = await InboxJournal.open(path);
  const { taken, take } = taker();
  await journal.append(some("a", "b"));
  await journal.append(some("c"));
  expect(statSync(path).mode & 0o777).toBe(0o600);
  await Promise.all([journal.move(take), journal.move(take)]);
  expect(taken).toEqual(some("a", "b", "c"));
  expect(statSync(path).size).toBe(0);
  await journal.append(some("d"));
  await journal.move(take);
  expect(taken).toEqual(some("a", "b", "c", "d"));
  await journal.close();
});

test("a frame of which a crash left any part is nothing, and those before it are whole", async () => {
  const path = aPath();
  const frames = some("a", "b", "c").map(encodeFrame);
  const ends = [0, ...frames.map((_, index) => Buffer.concat(frames.slice(0, index + 1)).length)];
  const whole = Buffer.concat(frames);
  for (let size = 0; size <= whole.length; size += 1) {
    writeFileSync(path, whole.subarray(0, size));
    const found = await moved(path);
    expect(found).toEqual(
      some("a", "b", "c").slice(
        0,
        ends.findLastIndex((end) => end <= size),
      ),
    );
    expect(statSync(path).size).toBe(0);
  }
});

test("a byte that a crash left wrong ends what is read", async () => {
  const path = aPath();
  const [first = Buffer.of(), second = Buffer.of()] = some("a", "b").map(encodeFrame);
  for (let at = 0; at < second.length; at += 1) {
    const bytes = Buffer.concat([first, second]);
    bytes[first.length + at] = (bytes[first.length + at] ?? 0) ^ 0x40;
    writeFileSync(path, bytes);
    expect(await moved(path)).toEqual(some("a"));
  }
});

test("zeros, as a power loss leaves them where nothing was written yet, are nothing", async () => {
  const path = aPath();
  writeFileSync(path, Buffer.concat([...some("a").map(encodeFrame), Buffer.alloc(4096)]));
  expect(await moved(path)).toEqual(some("a"));
});

test("an append waits for the disk: the file is open for synchronized writes", async () => {
  const path = aPath();
  const journal = await InboxJournal.open(path);
  const descriptor = readdirSync("/proc/self/fd").find(
    (fd) => existsSync(`/proc/self/fd/${fd}`) && readlinkSync(`/proc/self/fd/${fd}`) === path,
  );
  const flags = /flags:\s*(\d+)/.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, "utf8"))?.[1];
  expect(Number.parseInt(flags ?? "", 8) & constants.O_DSYNC).toBe(constants.O_DSYNC);
  await journal.close();
});

test("what could not be kept stays, for the next try and for the next process", async () => {
  const path = aPath();
  const journal = await InboxJournal.open(path);
  await journal.append(some("a", "b"));
  await expect(journal.move(full)).rejects.toThrow("full");
  const { guids, take } = taker();
  await journal.move(take);
  expect(guids()).toEqual(["a", "b"]);
  await journal.append(some("c"));
  await expect(journal.move(full)).rejects.toThrow("full");
  await journal.close();
  expect(await moved(path)).toEqual(some("c"));
});

test("what is appended while others move comes after them, once", async () => {
  const path = aPath();
  const journal = await InboxJournal.open(path);
  const { guids, take } = taker();
  const names = Array.from({ length: 60 }, (_, index) => `d${index}`);
  const moves: Promise<void>[] = [];
  for (const name of names) {
    const appended = journal.append(some(name));
    moves.push(
      journal.move(async (deliveries) => {
        await appended;
        await take(deliveries);
      }),
    );
    if (name.endsWith("3")) await appended;
  }
  await Promise.all(moves);
  await journal.move(take);
  expect(guids()).toEqual(names);
  expect(statSync(path).size).toBe(0);
  await journal.close();
});

test("a webhook of GitHub's largest size, and thousands of small ones, move too", async () => {
  const path = aPath();
  const journal = await InboxJournal.open(path);
  const large = delivery({ guid: "large", payload: `{"body":"${"ü".repeat(12_000_000)}"}` });
  const many = some(...Array.from({ length: 20_000 }, (_, index) => `m${index}`));
  await journal.append(many);
  await journal.append([large]);
  const { taken, take } = taker();
  await journal.move(take);
  expect(taken.length).toBe(20_001);
  expect(taken.at(-1)?.payload === large.payload).toBe(true);
  await journal.close();
});

test("a disk that gives back other bytes than were written is told, and nothing is cut off", async () => {
  const path = aPath();
  const journal = await InboxJournal.open(path);
  await journal.append(some("a"));
  const before = readFileSync(path);
  truncateSync(path, 20);
  const { taken, take } = taker();
  await expect(journal.move(take)).rejects.toThrow(/journal is corrupt: check the disk/);
  writeFileSync(path, before);
  await journal.move(take);
  expect(taken).toEqual(some("a"));
  await journal.close();
});
