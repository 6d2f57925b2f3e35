import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import sharp from 'sharp';

/** A thumbnail that was made, with its size in pixels, or why it could not be made, as a clause. */
export type Thumbnail = { readonly width: number; readonly height: number } | { readonly problem: string };

const maximumSide = 320;
/** More than any camera has; decoding more would take too much memory. */
const maximumMegapixels = 50;
const timeoutSeconds = 10;
const videoMs = 30_000;

/** Makes a WebP image of at most 320 x 320 pixels of the first frame of an image, upright and without metadata. */
export async function imageThumbnail(from: string, to: string): Promise<Thumbnail> {
  try {
    const { width, height } = await sharp(from, {
      failOn: 'error',
      limitInputPixels: maximumMegapixels * 1_000_000,
      sequentialRead: true,
      pages: 1,
    })
      .autoOrient()
      .resize({ width: maximumSide, height: maximumSide, fit: 'inside', withoutEnlargement: true })
      .timeout({ seconds: timeoutSeconds })
      .webp()
      .toFile(to);
    return { width, height };
  } catch {
    return { problem: `it cannot be decoded as an image of at most ${maximumMegapixels} megapixels` };
  }
}

/** The same of the first frame of a video, if the program `ffmpeg` is installed. */
export async function videoThumbnail(from: string, to: string): Promise<Thumbnail> {
  const frame = `${to}.png`;
  const options = ['-v', 'error', '-nostdin', '-protocol_whitelist', 'file', '-threads', '1', '-i', from];
  try {
    await promisify(execFile)('ffmpeg', [...options, '-frames:v', '1', '-f', 'image2', '-c:v', 'png', frame], {
      timeout: videoMs,
      killSignal: 'SIGKILL',
    });
    return await imageThumbnail(frame, to);
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    return { problem: isMissing ? 'ffmpeg is not installed on the server' : 'it cannot be decoded as a video' };
  } finally {
    await rm(frame, { force: true });
  }
}
