import type { Database } from './database.ts';

const graceMs = 2_000;

/** Closes the connections. Gives up after two seconds: a connection that was lost at a bad moment is waited for for ever. */
export async function closeInTime(database: Pick<Database, 'close'>): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, graceMs);
  try {
    await Promise.race([database.close(), late]);
  } finally {
    clearTimeout(timer);
  }
}
