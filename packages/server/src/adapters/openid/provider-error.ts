/** Why a provider did not sign a person in. */
export type ProviderFailure =
  /** It cannot be reached, or does not respond as a provider does. */
  | 'unavailable'
  /** The person or the provider ended the sign-in. */
  | 'denied'
  /** What it sent is not what was asked for: it is forged, out of date, or used before. */
  | 'rejected';

/** A provider did not sign a person in. The message is for the log, and has no tokens. */
export class ProviderError extends Error {
  override name = 'ProviderError';
  readonly failure: ProviderFailure;

  constructor(failure: ProviderFailure, message: string) {
    super(message);
    this.failure = failure;
  }
}
