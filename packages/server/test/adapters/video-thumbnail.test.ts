import { execFile, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import sharp from 'sharp';
import { videoThumbnail } from '../../src/adapters/video-thumbnail.ts';

const hasFfmpeg = spawnSync('ffmpeg', ['-version']).status === 0;
if (!hasFfmpeg) console.log('ffmpeg is not installed: its tests are skipped.');
const withFfmpeg = hasFfmpeg ? test.serial : test.serial.skip;

const folder = mkdtempSync(join(tmpdir(), 'runward-video-'));
test.after.always(() => rm(folder, { recursive: true }));

async function newVideo(size: string, format = 'mp4'): Promise<string> {
  const path = join(folder, `${randomUUID()}.${format}`);
  const picture = [
    '-f',
    'lavfi',
    '-i',
    `color=c=red:s=${size}:d=0.2:r=10`,
    '-pix_fmt',
    'yuv420p',
    '-preset',
    'ultrafast',
  ];
  await promisify(execFile)('ffmpeg', ['-v', 'error', ...picture, path]);
  return path;
}

for (const format of ['mp4', 'webm', 'mov'] as const) {
  withFfmpeg(`the thumbnail of a ${format} is its first frame`, async (t) => {
    const to = join(folder, `${randomUUID()}.webp`);
    t.like(await videoThumbnail(await newVideo('640x360', format), to), { width: 320, height: 180 });
    const { data, info } = await sharp(await readFile(to))
      .raw()
      .toBuffer({ resolveWithObject: true });
    t.deepEqual([info.width, info.height], [320, 180]);
    t.true((data[0] ?? 0) > 200 && (data[1] ?? 255) < 40);
    t.deepEqual(
      (await readdir(folder)).filter((name) => name.endsWith('.png')),
      [],
    );
  });
}

withFfmpeg('a video that is cut off, too large, or a list of other files, has no thumbnail', async (t) => {
  const cut = await newVideo('640x360');
  await truncate(cut, 500);
  const list = join(folder, 'list.mp4');
  await writeFile(list, `ffconcat version 1.0\nfile ${await newVideo('64x36')}\n`);
  for (const path of [cut, list, await newVideo('9000x6000')]) {
    t.deepEqual(await videoThumbnail(path, join(folder, 'none.webp')), { problem: 'it cannot be decoded as a video' });
  }
});

test.serial('without ffmpeg there is no thumbnail of a video', async (t) => {
  const { PATH } = process.env;
  process.env['PATH'] = folder;
  t.teardown(() => Object.assign(process.env, { PATH }));
  const problem = 'ffmpeg is not installed on the server';
  t.deepEqual(await videoThumbnail(join(folder, 'any.mp4'), join(folder, 'none.webp')), { problem });
});
