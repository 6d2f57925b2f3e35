/** Observations of a portal while its editor changed it, as input of its checker. Times are in epoch milliseconds. */
export interface PortalHistory {
  /** In order, because the editor waits for each response before it sends the next change. */
  readonly changes: readonly PortalChange[];
  readonly visits: readonly PortalVisit[];
}

/** A publication or unpublication of the portal. It was repeated with one Idempotency-Key until it got a response. */
export interface PortalChange {
  readonly from: number;
  /** Null if the editor gave up. */
  readonly to: number | null;
  /** The number in the heading of the published page; null means the portal is unpublished. */
  readonly edition: number | null;
  /** The status of the response; null without one. */
  readonly status: number | null;
  /** The message of an error. */
  readonly message?: string;
}

/** A page that a visitor without a session opened and received within the time limit. */
export interface PortalVisit {
  readonly from: number;
  readonly to: number;
  readonly status: number;
  /** The number in the heading; null for a page without one. */
  readonly edition: number | null;
  /** Whether the page is complete and has its live data, or is the error page for a missing portal. */
  readonly isWhole: boolean;
}
