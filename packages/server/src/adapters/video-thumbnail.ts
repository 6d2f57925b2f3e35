import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import { convertImage, maximumMegapixels, type ImageResult } from './images.ts';

const timeoutMs = 30_000;
/** Limit of each buffer, in bytes: enough for a frame of the largest picture. */
const maximumBuffer = 256 * 1024 * 1024;

/**
 * Makes a WebP image of at most 320 x 320 pixels from the first frame of a video, if the program `ffmpeg` is installed.
 */
export async function videoThumbnail(from: string, to: string): Promise<ImageResult> {
  const frame = `${to}.png`;
  const limited = ['-max_alloc', String(maximumBuffer), '-max_pixels', String(maximumMegapixels.thumbnail * 1_000_000)];
  const input = ['-v', 'error', '-nostdin', '-protocol_whitelist', 'file', '-threads', '1', ...limited, '-i', from];
  try {
    await promisify(execFile)('ffmpeg', [...input, '-frames:v', '1', '-f', 'image2', '-c:v', 'png', frame], {
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
      env: { PATH: process.env['PATH'] },
    });
    return await convertImage('thumbnail', frame, to);
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    return { problem: isMissing ? 'ffmpeg is not installed on the server' : 'it cannot be decoded as a video' };
  } finally {
    await rm(frame, { force: true });
  }
}
