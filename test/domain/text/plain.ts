/** The function without the characters that set texts of others apart, for tests that are about its words. */
export function plain<Given extends readonly unknown[], Text extends string | null>(
  write: (...given: Given) => Text,
): (...given: Given) => string | Extract<Text, null>;
export function plain(write: (...given: readonly unknown[]) => string | null) {
  return (...given: readonly unknown[]) =>
    write(...given)
      ?.replaceAll("\u0002", "")
      .replaceAll("\u0003", "") ?? null;
}
