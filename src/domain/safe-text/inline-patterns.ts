/**
 * Constructs in a line of Markdown; each pattern is matched at one position (flag y), in time linear in what it reads.
 */

/** Entities that stay; all others are shown as they are written. */
export const KEPT_ENTITY = /&(?:lt|gt|amp|quot);/y;
export const ENTITY = /&(?=#?[A-Za-z0-9]{1,40};)/y;
export const NO_BREAK_SPACE = /&nbsp;/y;

/** Escapes that GitHub removes before it looks for mentions, references and addresses. */
export const HOLLOW_ESCAPE = /\\(?=[@:/]|#\d|&#)/y;
export const ESCAPE = /\\[!-/:-@[-`{-~]/y;

/** The start of a tag, a comment, a declaration or an address in angle brackets. */
export const TAG_START = /<(?=[A-Za-z/!?])/y;

export const LINK_END = /\]\(([^\s()<>\\`[\]]*)\)/y;

/** An address, up to where GitHub or we end it. */
export const ADDRESS = /(?:(?:https?|ftp):\/\/|www\.)[^\s<>"`[\]|]*/iy;
export const AFTER_ADDRESS = /(?<![?!.,:*_~'")}])[?!.,:*_~'")}]+$/;

/** A word, or the rest of one, in which no address can begin. */
export const PLAIN_WORD = /[A-Za-z0-9]+(?:(?=[A-Za-z0-9]{5})|(?![A-Za-z0-9:.@]))/y;

export const E_MAIL = /[A-Za-z0-9._+-]+@[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)+/y;

/** A person, or a team of an organisation. */
export const MENTION = /@[A-Za-z0-9](?:[\w-]*[A-Za-z0-9])?(?:\/[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?)?/y;

/** The closing word, the separator, and the issue or pull request that GitHub would close at a merge. */
export const CLOSING =
  /(close[sd]?|fix(?:e[sd])?|resolve[sd]?)([\s:*_~\\([>-]{1,12})((?:[A-Za-z0-9-]{1,39}\/[A-Za-z0-9._-]{1,100})?#\d+|GH-\d+|https?:\/\/[^\s<`\]]{1,300}\/(?:issues|pull)\/\d+)/iy;

/** A command at the start of a line, after any signs of lists and quotes. */
export const COMMAND = /([ \t>*+\-\d.)#|~_]*)(\/[A-Za-z][^\s`<|\\]*)/y;
