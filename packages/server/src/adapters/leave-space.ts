import { spaceOf } from '../database/health/disk-space.ts';

/** So that even many uploads at a time do not fill what is to be left. */
const uncheckedBytes = 16e6;

/**
 * Content that is written to the disk of a folder. Fails with ENOSPC, as on a full disk, when less than 1 GB is free,
 * or 5 % of a small disk: the PostgreSQL of all organizations may be on it, and stops if it cannot write.
 */
export async function* leavingSpace<Part extends Uint8Array>(
  folder: string,
  content: AsyncIterable<Part>,
): AsyncGenerator<Part> {
  let unchecked = Infinity;
  for await (const part of content) {
    unchecked += part.length;
    if (unchecked > uncheckedBytes) {
      const { free, total } = await spaceOf(folder);
      if (free < Math.min(1e9, total * 0.05)) {
        throw Object.assign(new Error(`The disk of ${folder} has only ${free} bytes left`), { code: 'ENOSPC' });
      }
      unchecked = 0;
    }
    yield part;
  }
}
