/** A loop of a process, which looks for due work when it is notified. */
export interface Loop {
  readonly everySeconds: number;
  readonly notify: () => void;
}

/**
 * Notifies loops regularly while `mayWork` returns true, because work also becomes due without a commit. Returns a
 * function that ends this.
 */
export function notifyRegularly(loops: readonly Loop[], mayWork: () => boolean): () => void {
  const timers = loops.map(({ everySeconds, notify }) =>
    setInterval(() => {
      if (mayWork()) notify();
    }, everySeconds * 1_000),
  );
  return () => {
    for (const timer of timers) clearInterval(timer);
  };
}
