/** The end of a process of the service. */
export interface Exit {
  readonly name: string;
  readonly startedAt: number;
  readonly at: number;
  readonly code: number | null;
  readonly signal: string | null;
  /** The fault that ended the process; null if there was none. */
  readonly cause: 'kill' | 'stop' | null;
  /** Milliseconds from SIGTERM to the end; 0 for other causes. */
  readonly tookMs: number;
  /** Whether it had ever been ready. */
  readonly wasReady: boolean;
}

/** A request that got no response, or an error of the service. */
export interface FailedAttempt {
  /** The API process that it was sent to. */
  readonly process: string;
  readonly name: string;
  readonly from: number;
  readonly to: number;
  /** The status of the response; null without one. */
  readonly status: number | null;
  readonly message: string;
}
