/** Posts a message to a receiver of the configuration. */
export interface Notices {
  /**
   * `id` stays the same when the same message is sent again, so that a receiver can tell. Throws an `OutsideError`; none
   * quotes the receiver's address, which is a secret.
   */
  send(message: { readonly receiver: string; readonly id: string; readonly body: string }): Promise<void>;
}
