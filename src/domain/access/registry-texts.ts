import { inlineCode } from "../messages/inline-code.ts";
import type { Registry } from "./registry.ts";

/** Returns why a name was not connected to, and who can permit it: a sentence for people. */
export function privateHostText(host: string): string {
  return `The name ${inlineCode(host)} leads into a private network: the operator can permit it by its name in \`sandbox.private_hosts\`.`;
}

/** Returns why a registry gave nothing, where its answer's status says so: a sentence for people; null otherwise. */
export function registryRefusalText({ url, tokenEnv }: Registry, status: number): string | null {
  if (status === 401)
    return `The registry ${inlineCode(url)} refuses Flotilla's token (401): the operator has to put a valid one into ${inlineCode(tokenEnv)}.`;
  if (status === 403)
    return `The registry ${inlineCode(url)} forbids this to Flotilla's token (403): the operator has to give the token in ${inlineCode(tokenEnv)} the right to read it.`;
  return null;
}

/** Returns that a registry could not be asked, and why. */
export function registryUnreachableText({ url }: Registry, why: string): string {
  return `The registry ${inlineCode(url)} cannot be reached (${why}): the operator has to correct its \`url\`, or look at that server.`;
}
