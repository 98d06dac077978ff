/** Returns GitHub's REST root and git root. Flotilla's GitHub adapters contact no other hosts. */
export function serverUrls(environment: {
  readonly gheHost: string | undefined;
  readonly gheProtocol: string;
}): {
  readonly apiUrl: string;
  readonly gitUrl: string;
} {
  if (environment.gheHost === undefined)
    return { apiUrl: "https://api.github.com", gitUrl: "https://github.com" };
  const root = `${environment.gheProtocol}://${environment.gheHost}`;
  return { apiUrl: `${root}/api/v3`, gitUrl: root };
}
