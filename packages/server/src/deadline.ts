/**
 * Waits for `work` at most `ms` milliseconds. After that, returns what `late` returns, or throws what it throws. The
 * work continues, and its later rejection is ignored.
 */
export async function withDeadline<Result, Late = undefined>(
  ms: number,
  work: Promise<Result>,
  late: () => Late = () => undefined as Late,
): Promise<Result | Late> {
  const { promise: expired, resolve: expire } = Promise.withResolvers<void>();
  const timer = setTimeout(expire, ms);
  try {
    return await Promise.race([work, expired.then(late)]);
  } finally {
    clearTimeout(timer);
  }
}
