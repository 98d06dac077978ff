let loaded: ReturnType<typeof load> | undefined;

/** Loads the decoders with the first picture: where they are not installed, only pictures are missing. */
export const decoders = () => (loaded ??= load());

async function load() {
  const { default: sharp } = await import("sharp");
  sharp.cache(false);
  sharp.concurrency(1);
  sharp.block({ operation: ["VipsForeignLoad"] });
  sharp.unblock({
    operation: ["VipsForeignLoadPng", "VipsForeignLoadJpeg", "VipsForeignLoadNsgif", "VipsForeignLoadWebp"],
  });
  return sharp;
}

/** Returns a sentence for what a decoder threw; null for a file that is damaged or of another kind. */
export function decoderFault(error: unknown): string | null {
  const said = error instanceof Error ? error.message : "";
  if (/timeout/i.test(said)) return "it took too long to decode";
  if (/sharp module|ERR_MODULE_NOT_FOUND|Cannot find package/i.test(said))
    return "the host has no decoder for pictures: reinstall the package sharp";
  return null;
}
