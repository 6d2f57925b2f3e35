import type { Gauge } from '@prometheus-io/client';
import { withDeadline } from '../deadline.ts';

/** A scrape does not wait longer for the database. */
const timeBudgetMs = 1_000;

/** Sets a metric to what is being read from the database. Removes it if that fails or takes longer than a second. */
export async function setInTime(gauge: Gauge, reading: Promise<number>): Promise<void> {
  const value = await withDeadline(
    timeBudgetMs,
    reading.catch(() => null),
    () => null,
  );
  if (value === null) gauge.remove();
  else gauge.set(value);
}
