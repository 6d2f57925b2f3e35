import { execFile } from 'node:child_process';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import pLimit from 'p-limit';

/** An encoded image: its size in bytes, and its width and height in pixels when upright. */
export interface EncodedImage {
  readonly size: number;
  readonly width: number;
  readonly height: number;
}

/**
 * What to do with an image: re-encode it in its format, make a WebP image of at most 320 x 320 pixels, or for `print`
 * make one of at most 1200 x 1200 pixels, as PNG if it has transparent parts and else as JPEG.
 */
export type ImageJob = 'reencode' | 'thumbnail' | 'print';

/**
 * An image made of the first frame, upright and without metadata, or the reason why it could not be made, as a clause.
 */
export type ImageResult = EncodedImage | { readonly problem: string };

/** The largest decoded images; larger ones take too much memory and time. No camera has more than 50 megapixels. */
export const maximumMegapixels: Readonly<Record<ImageJob, number>> = { reencode: 25, thumbnail: 50, print: 50 };

const program = join(import.meta.dirname, `image-process${extname(import.meta.filename)}`);
const timeoutMs = 30_000;
/** An image takes memory for each of its pixels, so only two are decoded at a time. */
const inTurn = pLimit(2);

/** Decodes an image in a separate process and writes the result. Throws if it cannot be written. */
export async function convertImage(job: ImageJob, from: string, to: string): Promise<ImageResult> {
  const run = () =>
    promisify(execFile)(process.execPath, [program, job, String(maximumMegapixels[job]), from, to], {
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
      env: {},
    });
  try {
    const { stdout } = await inTurn(run);
    return JSON.parse(stdout.slice(stdout.lastIndexOf('\n'))) as ImageResult;
  } catch (error) {
    // The process took too long, or crashed.
    const isKilled = error instanceof Error && 'signal' in error && error.signal !== null;
    if (isKilled) return { problem: 'it cannot be decoded within the limits' };
    throw error;
  }
}
