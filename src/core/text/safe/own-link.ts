/** What a link may be made of; whatever could be read in two ways, or as a mention, is not in it. */
const PLAIN = /^[A-Za-z0-9\-._~:/?#$&+,;=%]+$/;

/** True when the link leads to `site`, the origin of the GitHub server, or below it. A relative one does. */
export function isOwnLink(link: string, site: string): boolean {
  if (!PLAIN.test(link) || !URL.canParse(link, site)) return false;
  const { origin, username, password } = new URL(link, site);
  return origin === site && username === "" && password === "";
}
