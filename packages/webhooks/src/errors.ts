const codes = [
  'missing_secret',
  'body_not_raw',
  'missing_header',
  'invalid_timestamp',
  'timestamp_outside_tolerance',
  'invalid_signature_format',
  'signature_mismatch',
  'invalid_payload',
] as const;

/** The check that failed. Stable, unlike the message. */
export type WebhookVerificationErrorCode = (typeof codes)[number];

/** A delivery failed verification. `code` is the failed check; `message` also says what to do. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  readonly code: WebhookVerificationErrorCode;

  constructor(code: WebhookVerificationErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** A catch-up ended early, because a handler failed or the feed could not be read; see `cause`. */
export class CatchUpError extends Error {
  override readonly name = 'CatchUpError';
  /** The cursor to resume from; pass it as `after`. Undefined if no page was completed and `after` was not set. */
  readonly after: string | undefined;

  constructor(message: string, after: string | undefined, options?: ErrorOptions) {
    super(message, options);
    this.after = after;
  }
}

/** Narrows a caught value. Unlike `instanceof`, it also works if two copies of this package are installed. */
export function isWebhookVerificationError(error: unknown): error is WebhookVerificationError {
  if (typeof error !== 'object' || error === null || !('name' in error) || !('code' in error)) return false;
  return error.name === 'WebhookVerificationError' && codes.some((code) => code === error.code);
}
