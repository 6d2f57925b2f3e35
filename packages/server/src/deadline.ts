/**
 * Waits for `work` at most `ms` milliseconds. If the time runs out first, returns what `late` returns, or throws what it throws; the
 * work itself continues, and a later rejection of it is ignored.
 */
export async function withDeadline<Result, Late = undefined>(
  ms: number,
  work: Promise<Result>,
  late: () => Late = () => undefined as Late,
): Promise<Result | Late> {
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<'expired'>((resolve) => {
    timer = setTimeout(resolve, ms, 'expired');
  });
  try {
    const done = work.then((result) => ({ result }));
    const first = await Promise.race([done, expired]);
    return first === 'expired' ? late() : first.result;
  } finally {
    clearTimeout(timer);
  }
}
