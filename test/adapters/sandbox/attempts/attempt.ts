/** One way out of a sandbox, tried. */
export interface Attempt {
  readonly what: string;
  /** Shell; ends with 0 when the attempt succeeded. Blocked is any other end. */
  readonly line: string;
  /**
   * What the same line does outside, where a test shows that it can succeed at all: `succeeds` for anybody, `as root` for
   * root with all capabilities; or why it is not tried there.
   */
  readonly outside: "succeeds" | "as root" | { readonly notTried: string };
}

export const ANYWHERE = "succeeds";
export const ROOT = "as root";
export const notTried = (reason: string): Attempt["outside"] => ({ notTried: reason });
/** Containers and hardened kernels keep it from root, too. */
export const NOT_EVERYWHERE = notTried("many a host keeps it from root, too");
