/**
 * Waits for `work` at most `ms` milliseconds. If the time runs out first, returns what `late` returns, or throws what it throws; the
 * work itself continues, and a later rejection of it is ignored.
 */
export async function withDeadline<Result, Late = undefined>(
  ms: number,
  work: Promise<Result>,
  late: () => Late = () => undefined as Late,
): Promise<Result | Late> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      try {
        resolve(late());
      } catch (error) {
        reject(error);
      }
    }, ms);
    const settled = <Value>(settle: (value: Value) => void) => {
      return (value: Value) => {
        clearTimeout(timer);
        settle(value);
      };
    };
    work.then(settled(resolve), settled(reject));
  });
}
