/** Where a repository's own settings lie, on its default branch, and the role files that they name. */
export const REPOSITORY_FILE = ".github/flotilla.yml";
export const REPOSITORY_ROLES = ".github/flotilla/roles";
