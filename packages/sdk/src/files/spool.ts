import { RunwardError } from '../errors/errors.ts';
import { nodeModule } from './node-module.ts';

/**
 * Stores a stream in a temporary file that only its owner can read.
 *
 * @throws RunwardError if there is no space left; the file is then removed
 */
export async function spoolToDisk(
  parts: AsyncIterable<Uint8Array>,
): Promise<{ path: string; remove: () => Promise<void> }> {
  const what = 'A stream of unknown size';
  const [{ mkdtemp, open, rm }, { tmpdir }, { join }] = await Promise.all([
    nodeModule('fs/promises', what),
    nodeModule('os', what),
    nodeModule('path', what),
  ]);
  const folder = await mkdtemp(join(tmpdir(), 'runward-upload-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  const path = join(folder, 'content');
  try {
    const file = await open(path, 'wx', 0o600);
    try {
      for await (const part of parts) {
        await file.writeFile(part).catch((cause: Error) => {
          throw new RunwardError(
            `The stream cannot be stored in ${folder}: ${cause.message}. Free some space, or pass its \`size\`.`,
            { cause },
          );
        });
      }
    } finally {
      await file.close();
    }
  } catch (error) {
    await remove();
    throw error;
  }
  return { path, remove };
}
