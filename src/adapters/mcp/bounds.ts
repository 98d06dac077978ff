/** What one server may send since it was last asked something: an answer with all that comes before it. */
export const MOST_BYTES = 4 * 1024 * 1024;
export const MOST_MESSAGES = 2000;
/** A server that takes longer to start and list its tools counts as dead: its agent waits meanwhile, and that counts as its work. */
export const START_MS = 30_000;
/** A call that takes longer is given up: shorter than what the watch over tools allows. */
export const CALL_MS = 120_000;
/** How long a server at an address may take to forget its session. */
export const END_MS = 2000;
/** Pages of a list of tools. */
export const MOST_PAGES = 10;
