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

/** Which check failed. Stable: branch on it, never on the message. */
export type WebhookVerificationErrorCode = (typeof codes)[number];

/** A delivery that cannot be trusted or read. `code` says which check failed, `message` also says what to do about it. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  readonly code: WebhookVerificationErrorCode;

  constructor(code: WebhookVerificationErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** A catch-up that ended early: a handler failed, or the feed could not be read. `cause` says why. */
export class CatchUpError extends Error {
  override readonly name = 'CatchUpError';
  /** The cursor to go on from: pass it as `after`. Undefined when it is still the oldest event there is. */
  readonly after: string | undefined;

  constructor(message: string, after: string | undefined, options?: ErrorOptions) {
    super(message, options);
    this.after = after;
  }
}

/** Narrows a caught value. Use it instead of `instanceof`, which fails when two copies of this package are installed. */
export function isWebhookVerificationError(error: unknown): error is WebhookVerificationError {
  if (typeof error !== 'object' || error === null || !('name' in error) || !('code' in error)) return false;
  return error.name === 'WebhookVerificationError' && codes.some((code) => code === error.code);
}
