import type { CommandResult } from "./runner.ts";

/** A page, and the size in pixels in which it is shown. */
interface ShotWanted {
  readonly url: string;
  readonly width: number;
  readonly height: number;
}

/** A picture, written anew by the host as lossless WebP: it holds pixels only. */
export interface Shot {
  readonly bytes: Uint8Array;
}

/** Why there is no picture; what it quotes of the app is not cleaned. */
export interface ShotFault {
  readonly fault: string;
}

/** How two pictures of one size differ. */
export interface ShotDifference {
  /** The share of pixels that changed, 0 to 1. */
  readonly changed: number;
  /** The later picture in grey, with these pixels in red. */
  readonly picture: Uint8Array;
}

/** The command that takes pictures, and what of the host it reads. */
interface CameraCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly readable: readonly string[];
  /** Bytes of its output. */
  readonly mostOutput: number;
}

/** Takes pictures of pages, in a browser that runs in the sandbox beside the app. */
export interface Camera {
  /** Returns a text that changes with the browser; null where the host has none. */
  version(): string | null;
  /** Returns the shell line that exits with 0 once something listens at this port of the sandbox. */
  readyAt(port: number): string;
  /** Returns the command that opens the pages in this order. */
  command(wanted: readonly ShotWanted[]): CameraCommand;
  /** Returns what the command printed about each of them. Never rejects. */
  shots(wanted: readonly ShotWanted[], result: CommandResult): Promise<readonly (Shot | ShotFault)[]>;
  /** Compares two pictures that `shots` returned. */
  compare(before: Shot, after: Shot): Promise<ShotDifference | ShotFault>;
}
