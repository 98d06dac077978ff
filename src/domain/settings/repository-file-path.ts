/** The path of a repository's own settings, on its default branch, and the directory of its role files. */
export const REPOSITORY_FILE = ".github/flotilla.yml";
export const REPOSITORY_ROLES = ".github/flotilla/roles";
