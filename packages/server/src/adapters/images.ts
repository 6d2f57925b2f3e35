import { writeFile } from 'node:fs/promises';
import sharp from 'sharp';

/** An encoded image: its size in bytes, and its width and height in pixels when upright. */
export interface EncodedImage {
  readonly size: number;
  readonly width: number;
  readonly height: number;
}

/** About 6000 x 4000. Decoding more would take too much memory and time. */
export const maximumMegapixels = 25;
const timeoutSeconds = 10;

// One thread and no cache, to keep memory for requests.
sharp.cache(false);
sharp.concurrency(1);

/**
 * Decodes an image and writes its first frame, upright and without metadata, in the same format. Null if it cannot be decoded within
 * the limits.
 */
export async function reencodeImage(from: string, to: string): Promise<EncodedImage | null> {
  const image = await reencode(from);
  if (image === null) return null;
  await writeFile(to, image.data);
  const { size, width, height } = image.info;
  return { size, width, height };
}

async function reencode(from: string) {
  try {
    const image = sharp(from, {
      failOn: 'error',
      limitInputPixels: maximumMegapixels * 1_000_000,
      sequentialRead: true,
      pages: 1,
    });
    const { format } = await image.metadata();
    return await image
      .autoOrient()
      .timeout({ seconds: timeoutSeconds })
      .toFormat(format)
      .toBuffer({ resolveWithObject: true });
  } catch {
    return null;
  }
}
