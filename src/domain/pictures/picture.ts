/** A picture as a model gets it: written anew by the host, without what a file may hold beside its pixels. */
export interface Picture {
  readonly mediaType: "image/jpeg";
  readonly bytes: Uint8Array;
}

/** Why there is no picture, as words that follow "could not be read: ". */
export interface PictureFault {
  readonly fault: string;
}

/** Pictures of one message; more are named and not shown. */
export const MOST_PICTURES = 6;
/** Bytes of a file that is fetched. */
export const MOST_FETCHED = 10 * 1024 * 1024;
/** Pixels of a picture that is decoded: a small file can hold billions. */
export const MOST_PIXELS = 50_000_000;
/** Pixels of the longer side of what a model gets: providers shrink larger ones. */
export const LONGEST_SIDE = 1568;
/** Bytes of what a model gets: of one picture, and of all in one message. */
export const MOST_SHOWN = 1024 * 1024;
export const MOST_SHOWN_TOGETHER = 3 * 1024 * 1024;
