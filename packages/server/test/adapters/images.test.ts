import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import sharp from 'sharp';
import { reencodeImage } from '../../src/adapters/images.ts';

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
    t.like(await reencodeImage(await newFile(marked), to), { width: 40, height: 20 });
    const written = await readFile(to);
    t.false(written.includes('secret-place'));
    t.like(await sharp(written).metadata(), { format, width: 40, height: 20, exif: undefined, xmp: undefined });
  });
}

test('an image that is stored on its side is turned upright', async (t) => {
  const turned = await sharp({ create: red }).withMetadata({ orientation: 6 }).jpeg().toBuffer();
  t.like(await reencodeImage(await newFile(turned), newPath()), { width: 20, height: 40 });
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
  t.like(await reencodeImage(await newFile(animated), to), { width: 40, height: 20 });
  t.is((await sharp(to, { animated: true }).metadata()).pages ?? 1, 1);
});

test('what cannot be decoded within the limits is no image', async (t) => {
  const png = await sharp({ create: red }).png().toBuffer();
  const huge = await sharp({ create: { ...red, width: 6_000, height: 5_000 } })
    .png()
    .toBuffer();
  const bad = [png.subarray(0, 60), Buffer.from('not an image'), Buffer.alloc(0), huge];
  for (const content of bad) t.is(await reencodeImage(await newFile(content), newPath()), null);
  await t.throwsAsync(reencodeImage(await newFile(png), join(folder, 'missing/x')));
});
