/** With write permission: labels what others opened. */
export const WRITER = "octocat";
/** With read permission, as everybody has where a repository is public. */
export const STRANGER = "mallory";
