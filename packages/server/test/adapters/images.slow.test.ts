import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import test from 'ava';
import sharp from 'sharp';
import { convertImage } from '../../src/adapters/images.ts';

const folder = mkdtempSync(join(tmpdir(), 'runward-images-'));
test.after.always(() => rm(folder, { recursive: true }));

const newPath = () => join(folder, randomUUID());
const red = { width: 40, height: 20, channels: 3, background: '#c00' } as const;

async function newFile(content: Buffer): Promise<string> {
  const path = newPath();
  await writeFile(path, content);
  return path;
}

for (const format of ['png', 'jpeg', 'webp', 'gif'] as const) {
  test(`a ${format} is encoded again in its format, without metadata`, async (t) => {
    const marked = await sharp({ create: red })
      .withExif({ IFD0: { Copyright: 'secret-place' } })
      .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/">secret-place</x:xmpmeta>')
      .toFormat(format)
      .toBuffer();
    if (format !== 'gif') t.true(marked.includes('secret-place'));
    const to = newPath();
    t.like(await convertImage('reencode', await newFile(marked), to), { width: 40, height: 20 });
    const written = await readFile(to);
    t.false(written.includes('secret-place'));
    t.like(await sharp(written).metadata(), { format, width: 40, height: 20, exif: undefined, xmp: undefined });
  });
}

test('an image that is stored on its side is turned upright', async (t) => {
  const turned = await sharp({ create: red }).withMetadata({ orientation: 6 }).jpeg().toBuffer();
  t.like(await convertImage('reencode', await newFile(turned), newPath()), { width: 20, height: 40 });
});

test('of an animation the first frame is kept', async (t) => {
  const frames = await Promise.all(
    ['#f00', '#0f0'].map((background) =>
      sharp({ create: { ...red, background } })
        .png()
        .toBuffer(),
    ),
  );
  const animated = await sharp(frames, { join: { animated: true } })
    .gif()
    .toBuffer();
  t.is((await sharp(animated, { animated: true }).metadata()).pages, 2);
  const to = newPath();
  t.like(await convertImage('reencode', await newFile(animated), to), { width: 40, height: 20 });
  t.is((await sharp(to, { animated: true }).metadata()).pages ?? 1, 1);
});

test('what cannot be decoded within the limits is a problem, and a folder that does not exist an error', async (t) => {
  const png = await sharp({ create: red }).png().toBuffer();
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>';
  const tooLarge = await sharp({ create: { ...red, width: 6_000, height: 5_000 } })
    .png()
    .toBuffer();
  const bad = [png.subarray(0, 60), Buffer.from('not an image'), Buffer.alloc(0), tooLarge, Buffer.from(svg)];
  for (const content of bad) {
    t.deepEqual(await convertImage('reencode', await newFile(content), newPath()), {
      problem: 'it cannot be decoded as an image of at most 25 megapixels',
    });
  }
  await t.throwsAsync(convertImage('reencode', await newFile(png), join(folder, 'missing/x')));
});

test('an image that announces 50,000 x 50,000 pixels is not decoded', async (t) => {
  for (const job of ['reencode', 'thumbnail'] as const) {
    t.true('problem' in (await convertImage(job, await newFile(announcing(50_000, 50_000)), newPath())));
  }
});

for (const format of ['gif', 'webp'] as const) {
  test(`of a ${format} with thousands of frames one is decoded`, async (t) => {
    const frame = { width: 8, height: 8, channels: 3 } as const;
    const frames = Buffer.alloc(8 * 8 * 3 * 3_000, Buffer.from([255, 0, 0, 0, 255, 0, 0, 0, 255, 9]));
    const raw = { ...frame, height: 8 * 3_000, pageHeight: 8 };
    const animated = await sharp(frames, { raw, limitInputPixels: false }).toFormat(format).toBuffer();
    t.is((await sharp(animated).metadata()).pages, 3_000);
    const to = newPath();
    t.like(await convertImage('thumbnail', await newFile(animated), to), { width: 8, height: 8 });
    t.is((await sharp(await readFile(to)).metadata()).pages ?? 1, 1);
  });
}

test('an AVIF of more than 25 megapixels is not decoded, because that takes too much memory', async (t) => {
  const newAvif = async (width: number) => {
    const image = sharp({ create: { ...red, width, height: 5_000 } });
    return newFile(await image.avif({ effort: 0 }).toBuffer());
  };
  t.like(await convertImage('print', await newAvif(5_000), newPath()), { width: 1_200, height: 1_200 });
  t.deepEqual(await convertImage('print', await newAvif(5_001), newPath()), {
    problem: 'it cannot be decoded as an image of at most 25 megapixels',
  });
});

test('a heic is decoded, upright', async (t) => {
  const to = newPath();
  t.like(await convertImage('thumbnail', await newFile(heic), to), { width: 48, height: 32 });
  const { data } = await sharp(await readFile(to))
    .raw()
    .toBuffer({ resolveWithObject: true });
  // Red.
  t.true((data[0] ?? 0) > 180 && (data[1] ?? 255) < 60);
  t.true('problem' in (await convertImage('thumbnail', await newFile(heic.subarray(0, heic.length - 20)), newPath())));
});

/** A red HEIC of 48 x 32 pixels, in a grid as cameras write it. */
const heic = Buffer.from(
  [
    'AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAa1tZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAAAA5waXRtAA',
    'AAAAACAAAAEGlkYXQAAAAAADAAIAAAADhpbG9jAQAAAERAAAIAAQAAAAAAAAHRAAEAAAAAAAAAGgACAAEAAAAAAAAAAQAAAAAAAAAIAAAAOGlp',
    'bmYAAAAAAAIAAAAVaW5mZQIAAAEAAQAAaHZjMQAAAAAVaW5mZQIAAAAAAgAAZ3JpZAAAAADYaXBycAAAALZpcGNvAAAAdmh2Y0MBA3AAAAAAAA',
    'AAAAAe8AD8/fj4AAAPAyAAAQAYQAEMAf//A3AAAAMAkAAAAwAAAwAeugJAIQABACpCAQEDcAAAAwCQAAADAAADAB6gIIEFlurkprm4EBAwIAAA',
    'AwAgAAADACEiAAEABkQBwXPAiQAAABRpc3BlAAAAAAAAAEAAAABAAAAAFGlzcGUAAAAAAAAAMAAAACAAAAAQcGl4aQAAAAADCAgIAAAAGmlwbW',
    'EAAAAAAAAAAgABAoECAAICA4QAAAAaaXJlZgAAAAAAAAAOZGltZwACAAEAAQAAACJtZGF0AAAAFigBrxmA70mlv//q35/35a/5frWmPm4=',
  ].join(''),
  'base64',
);

/** A PNG whose header announces a size and whose content ends at once. */
function announcing(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    checksum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, checksum]);
  };
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0]);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(100))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
