/** What was observed of a portal while its editor changed it: what its checker looks at. Times are in epoch milliseconds. */
export interface PortalHistory {
  /** In order: the editor waits for the response to one before it sends the next. */
  readonly changes: readonly PortalChange[];
  readonly visits: readonly PortalVisit[];
}

/** A publication of the portal, or its end, sent under one Idempotency-Key until it got a response. */
export interface PortalChange {
  readonly from: number;
  /** Null if the editor gave up. */
  readonly to: number | null;
  /** The number in the heading of the page that is published; null: the portal is unpublished. */
  readonly edition: number | null;
  /** The status of the response; null without one. */
  readonly status: number | null;
  /** The message of an error. */
  readonly message?: string;
}

/** A page that someone without a session opened, and got within the time. */
export interface PortalVisit {
  readonly from: number;
  readonly to: number;
  readonly status: number;
  /** The number in the heading; null on a page without one. */
  readonly edition: number | null;
  /** Whether the page has its end and its live data, or is the one for what is missing. */
  readonly isWhole: boolean;
}
