import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { type AtCrashPoint, neverCrash } from "../../../domain/kernel/crash-points.ts";
import type { NewDelivery } from "../../../domain/kernel/rows.ts";
import { decodeFrames, encodeFrame } from "./journal-frame.ts";

/** Bytes per read; a larger frame is read whole. */
const READ_BYTES = 1024 * 1024;

/** Stores deliveries durably; on disk when it resolves. A delivery may come twice. */
export type Keep = (deliveries: readonly NewDelivery[]) => Promise<void>;

/**
 * A file in front of the database: a webhook needs one sequential write off the event loop, however busy the
 * database is, and moves into the database when somebody reads the inbox. A delivery leaves the file only
 * once the database has it; after a crash it may be in both.
 */
export class InboxJournal {
  readonly #file: FileHandle;
  /** The position of the file's first byte. Positions count all bytes ever appended. */
  #base = 0;
  /** The position of the next frame; bytes after it come from a failed write. */
  #end: number;
  /** Everything before this position is in the database. */
  #moved = 0;
  /** The end of an earlier process's frames, of which the last may be incomplete. */
  readonly #inherited: number;
  /** Serializes writes and truncations. */
  #writing: Promise<unknown> = Promise.resolve();
  #moving: Promise<void> | undefined;

  readonly #crashPoint: AtCrashPoint;

  private constructor(file: FileHandle, size: number, crashPoint: AtCrashPoint) {
    this.#file = file;
    this.#crashPoint = crashPoint;
    this.#end = size;
    this.#inherited = size;
  }

  /** Opens or creates the file (mode 0600). Frames of an earlier process move first. */
  static async open(path: string, crashPoint: AtCrashPoint = neverCrash): Promise<InboxJournal> {
    const file = await open(path, constants.O_RDWR | constants.O_CREAT | constants.O_DSYNC, 0o600);
    return new InboxJournal(file, (await file.stat()).size, crashPoint);
  }

  /**
   * Appends deliveries; all are synced to disk when it resolves. When it rejects, they may be there or not,
   * and can be appended again.
   */
  append(deliveries: readonly NewDelivery[]): Promise<void> {
    const frames = Buffer.concat(deliveries.map(encodeFrame));
    return this.#write(async () => {
      const at = this.#end - this.#base;
      for (let written = 0; written < frames.length; ) {
        const { bytesWritten } = await this.#file.write(frames, written, undefined, at + written);
        written += bytesWritten;
      }
      this.#end += frames.length;
    });
  }

  /** Moves everything whose append has resolved by now into `keep`. */
  async move(keep: Keep): Promise<void> {
    const until = this.#end;
    while (this.#moved < until) {
      this.#moving ??= this.#moveSome(keep).finally(() => {
        this.#moving = undefined;
      });
      await this.#moving;
    }
  }

  async close(): Promise<void> {
    await this.#writing;
    await this.#file.close();
  }

  async #moveSome(keep: Keep): Promise<void> {
    const { deliveries, length } = await this.#read();
    if (deliveries.length > 0) {
      await keep(deliveries);
      this.#crashPoint("delivery:moved");
      this.#moved += length;
    } else if (this.#moved < this.#inherited) {
      this.#moved = this.#inherited;
    } else {
      throw new Error("the inbox journal is corrupt: check the disk, then start again");
    }
    await this.#write(async () => {
      if (this.#moved < this.#end) return;
      await this.#file.truncate(0);
      this.#base = this.#end;
    });
  }

  async #read(): Promise<ReturnType<typeof decodeFrames>> {
    const left = this.#end - this.#moved;
    const found = decodeFrames(await this.#bytes(Math.min(left, READ_BYTES)));
    const more = found.deliveries.length === 0 && found.wanted > READ_BYTES && found.wanted <= left;
    return more ? decodeFrames(await this.#bytes(found.wanted)) : found;
  }

  async #bytes(length: number): Promise<Buffer> {
    const { buffer, bytesRead } = await this.#file.read(
      Buffer.allocUnsafe(length),
      0,
      length,
      this.#moved - this.#base,
    );
    return buffer.subarray(0, bytesRead);
  }

  #write(work: () => Promise<void>): Promise<void> {
    const done = this.#writing.then(work);
    this.#writing = done.catch(() => {});
    return done;
  }
}
