import { isNotFound } from '@runward/sdk';

/** What a call returns; null if there is no such record any more. */
export async function ifExists<Data>(call: Promise<Data>): Promise<Data | null> {
  return call.catch((error: unknown) => {
    if (isNotFound(error)) return null;
    throw error;
  });
}
