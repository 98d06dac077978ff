/** Begins the note of a webhook about what Flotilla did itself. */
export const OWN_ACT = "it is our own";
