import test from 'ava';
import { createCaches } from '../../src/caches.ts';
import { html } from '../../src/pages/html.ts';
import { viewCache, viewSeconds } from '../../src/pages/portal/view-cache.ts';

function cacheAt(times: { now: number }) {
  const { getOrMake: get } = viewCache(createCaches(), { now: () => times.now });
  let renderings = 0;
  const view = () => {
    renderings += 1;
    const empty = html``;
    return { title: String(renderings), header: empty, main: empty, footer: empty, imageOrigins: [] };
  };
  return { get, titleOf: async (key: string) => (await get(key, async () => view())).title };
}

test('a page is kept for some seconds, by its key', async (t) => {
  const times = { now: 1_000 };
  const { titleOf } = cacheAt(times);
  t.is(await titleOf('a'), '1');
  t.is(await titleOf('b'), '2');
  times.now += viewSeconds * 1_000 - 1;
  t.is(await titleOf('a'), '1');
  times.now += 2;
  t.is(await titleOf('a'), '3');
});

test('concurrent requests wait for one rendering, and a failed one is not kept', async (t) => {
  const { get, titleOf } = cacheAt({ now: 1_000 });
  t.deepEqual(await Promise.all([titleOf('a'), titleOf('a'), titleOf('a')]), ['1', '1', '1']);
  const failing = async () => {
    throw new Error('no database');
  };
  await t.throwsAsync(get('b', failing), { message: 'no database' });
  t.is(await titleOf('b'), '2');
});
