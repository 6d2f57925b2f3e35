/** Observations of API keys that were used until some time after their revocation. Times are in epoch milliseconds. */
export interface KeyHistory {
  readonly revocations: readonly Revocation[];
  readonly requests: readonly KeyRequest[];
}

/** A revocation of a key, repeated until it was acknowledged. */
export interface Revocation {
  readonly keyId: string;
  readonly from: number;
  /** When the response arrived; null without a response. */
  readonly to: number | null;
}

/** A request with a key. */
export interface KeyRequest {
  readonly keyId: string;
  /** What was requested, at which process. */
  readonly name: string;
  readonly from: number;
  readonly to: number;
  /** Null without a response. */
  readonly status: number | null;
}
