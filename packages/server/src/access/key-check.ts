/** Thrown if a key is not as this process has it cached. The guard then looks the key up and repeats the request. */
export class KeyChanged extends Error {
  override name = 'KeyChanged';
}

/**
 * Confirms that the API key of a request is still what this process has cached. The first statement of the handler reads the key, too
 * (`selectUsableKey`), and passes it on, before anything is returned or written.
 */
export interface KeyCheck {
  /** The SHA-256 of the key, for the statement; null if there is nothing to confirm. */
  readonly hash: Buffer | null;
  /** Takes what the statement has read. Throws `KeyChanged`. */
  confirm(usableKey: string | null): void;
}

/** For requests whose key was looked up, and for sessions. */
export const confirmed: KeyCheck = { hash: null, confirm: () => {} };
