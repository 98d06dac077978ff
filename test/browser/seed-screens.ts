import sharp from "sharp";
import { compareShots } from "../../src/adapters/pictures/shots.ts";
import type { Store } from "../../src/domain/ports/store.ts";

/** The commit under review. */
export const COMMIT = "97002121ee2b0c5d7d1f4b6a8c9e0f1a2b3c4d5e";

const BASE = "1111111111111111111111111111111111111111";

const plain = (background: string, width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background } });

/** A page with a bar of this colour at its top, such as an app may show. */
async function drawn(colour: string, width: number, height: number): Promise<Uint8Array> {
  const parts = [
    { top: 0, left: 0, input: await plain(colour, width, 64).png().toBuffer() },
    {
      top: 120,
      left: 24,
      input: await plain("#d0d0d0", width - 48, 24)
        .png()
        .toBuffer(),
    },
    {
      top: 160,
      left: 24,
      input: await plain("#d0d0d0", (width - 48) / 2, 24)
        .png()
        .toBuffer(),
    },
  ];
  return plain("#ffffff", width, height).composite(parts).webp({ lossless: true }).toBuffer();
}

/** Pictures of an app: one page that changed in both sizes, one that did not, and one that is new. */
export async function seedScreens(store: Store, agentId: number, now: number): Promise<void> {
  const changed = async (size: string) => {
    const [width = 0, height = 0] = size.split("x").map(Number);
    const before = await drawn("#1f4e9c", width, height);
    const after = await drawn("#1f7a3c", width, height);
    const found = await compareShots(before, after);
    if ("fault" in found) throw new Error(found.fault);
    const { picture: difference, changed: share } = found;
    return {
      page: "export",
      size,
      before,
      after,
      difference,
      changed: share,
      beforeFault: null,
      afterFault: null,
    };
  };
  const same = await drawn("#1f4e9c", 1280, 800);
  const none = { before: null, difference: null, changed: null };
  await store.screens.replace(agentId, {
    commit: COMMIT,
    baseCommit: BASE,
    digest: "d",
    createdAt: now,
    screens: [
      await changed("1280x800"),
      await changed("390x844"),
      {
        ...none,
        page: "start",
        size: "1280x800",
        before: same,
        after: same,
        changed: 0,
        beforeFault: null,
        afterFault: null,
      },
      {
        ...none,
        page: "help",
        size: "1280x800",
        after: same,
        beforeFault: "it cannot be opened: net::ERR_CONNECTION_REFUSED",
        afterFault: null,
      },
    ],
  });
}
