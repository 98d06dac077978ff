import { createHmac, timingSafeEqual } from "node:crypto";
import type { Account } from "../../../domain/events/account.ts";
import { parseMarker, withMarker } from "../../../domain/messages/marker.ts";

/**
 * Signs what we write and recognizes it. A stranger can copy a marker, but cannot create one, and cannot write as our
 * bot.
 */
export interface SignedMarker {
  /** Returns the text with the key's marker at its end. */
  sign(repositoryId: number, key: string, body: string): string;
  /** Returns whether our bot wrote it and its marker is ours, for this repository and key. */
  recognises(
    text: { readonly author: Account; readonly body: string },
    expected: { repositoryId: number; key: string; botId: number },
  ): boolean;
}

export function createSignedMarker(secret: string): SignedMarker {
  const macOf = (repositoryId: number, key: string): string =>
    createHmac("sha256", secret).update(`${repositoryId}\n${key}`).digest("hex");
  return {
    sign(repositoryId, key, body) {
      return withMarker(body, { key, mac: macOf(repositoryId, key) });
    },
    recognises(text, { repositoryId, key, botId }) {
      const marker = parseMarker(text.body);
      if (text.author.id !== botId || marker?.key !== key) return false;
      const [given, right] = [Buffer.from(marker.mac), Buffer.from(macOf(repositoryId, key))];
      return given.length === right.length && timingSafeEqual(given, right);
    },
  };
}
