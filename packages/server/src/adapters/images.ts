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
 * What to do with an image: re-encode it in its format, make a WebP image of at most 320 x 320 pixels, or for `print` one of at most 1200 x
 * 1200 pixels, as PNG if it has transparent parts and else as JPEG.
 */
export type ImageJob = 'reencode' | 'thumbnail' | 'print';

/** An image that was made of the first frame, upright and without metadata, or why it could not be made, as a clause. */
export type ImageResult = EncodedImage | { readonly problem: string };

/** The largest images that are decoded; more would take too much memory and time. No camera has more than 50 megapixels. */
export const maximumMegapixels: Readonly<Record<ImageJob, number>> = { reencode: 25, thumbnail: 50, print: 50 };

const program = join(import.meta.dirname, `image-process${extname(import.meta.filename)}`);
const timeoutMs = 30_000;
/** Each image may take as much memory as its pixels. */
const inTurn = pLimit(2);

/** Decodes an image in a process of its own and writes what was made of it. Throws if that cannot be written. */
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
    // It took too long, or brought the decoder down.
    const isKilled = error instanceof Error && 'signal' in error && error.signal !== null;
    if (isKilled) return { problem: 'it cannot be decoded within the limits' };
    throw error;
  }
}
