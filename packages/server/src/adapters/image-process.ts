/**
 * Decodes one image in a separate process, so that the memory and time that a hostile image takes, or a fault of a
 * decoder, does not affect the service. `image-process.ts JOB MEGAPIXELS FROM TO` prints an {@link ImageResult} as
 * JSON, in its last line. Fails if the result cannot be written.
 */
import { readFile, writeFile } from 'node:fs/promises';
import sharp, { type Sharp } from 'sharp';
import type { ImageJob, ImageResult } from './images.ts';

class MissingDecoder extends Error {}

const maximumSide = 320;
const maximumPrintedSide = 1200;
const timeoutSeconds = 10;
/** The decoder of AVIF takes 20 bytes for each pixel, several times as many as the others. */
const maximumAvifMegapixels = 25;

sharp.cache(false);
sharp.concurrency(1);
// A file that is declared as an image is never read as another format, such as SVG or PDF.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif', 'Tiff'].map((format) => `VipsForeignLoad${format}`),
});

const jobs = { thumbnail, reencode: reencoded, print: forPrint };
const [job, most, from = '', to = ''] = process.argv.slice(2);
let megapixels = Number(most);
// Begins a new line, because decoders print warnings.
process.stdout.write(`\n${JSON.stringify(await run())}`);

async function run(): Promise<ImageResult> {
  const encoded = await jobs[job as ImageJob]().catch(problemOf);
  if ('problem' in encoded) return encoded;
  await writeFile(to, encoded.data);
  const { size, width, height } = encoded.info;
  return { size, width, height };
}

function problemOf(error: unknown) {
  if (error instanceof MissingDecoder) return { problem: 'its format needs the package heic-decode on the server' };
  return { problem: `it cannot be decoded as an image of at most ${megapixels} megapixels` };
}

/** The first frame, upright, without metadata, at most 320 pixels wide and high. */
async function thumbnail() {
  return (await open())
    .resize({ width: maximumSide, height: maximumSide, fit: 'inside', withoutEnlargement: true })
    .timeout({ seconds: timeoutSeconds })
    .webp()
    .toBuffer({ resolveWithObject: true });
}

/** The first frame, upright, without metadata, large enough for print. */
async function forPrint() {
  const image = await open();
  const { hasAlpha } = await image.metadata();
  const scaled = image
    .resize({ width: maximumPrintedSide, height: maximumPrintedSide, fit: 'inside', withoutEnlargement: true })
    .timeout({ seconds: timeoutSeconds });
  return (hasAlpha ? scaled.png() : scaled.jpeg({ quality: 85 })).toBuffer({ resolveWithObject: true });
}

/** The first frame, upright, without metadata, in its original size and format. */
async function reencoded() {
  const image = await open();
  const { format } = await image.metadata();
  return image.timeout({ seconds: timeoutSeconds }).toFormat(format).toBuffer({ resolveWithObject: true });
}

async function open(): Promise<Sharp> {
  const image = sharp(from, {
    failOn: 'error',
    limitInputPixels: megapixels * 1_000_000,
    limitInputChannels: 5,
    sequentialRead: true,
    pages: 1,
  });
  const { format, compression, width, height } = await image.metadata();
  if (compression === 'av1') {
    megapixels = Math.min(megapixels, maximumAvifMegapixels);
    ensureSmall(width, height);
  }
  return format === 'heif' && compression === 'hevc' ? openHeic() : image.autoOrient();
}

/** The decoder of HEIC is optional, and sharp lacks it because of its patents. It turns images upright itself. */
async function openHeic(): Promise<Sharp> {
  const { default: decode } = await import('heic-decode').catch(() => {
    throw new MissingDecoder();
  });
  const [first] = await decode.all({ buffer: await readFile(from) });
  if (!first) throw new Error('The file has no image.');
  ensureSmall(first.width, first.height);
  const { width, height, data } = await first.decode();
  return sharp(data, { raw: { width, height, channels: 4 } });
}

function ensureSmall(width: number, height: number): void {
  if (width * height > megapixels * 1_000_000) throw new Error('The image is too large.');
}
