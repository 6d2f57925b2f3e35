import { Registry, type PrometheusContentType } from '@prometheus-io/client';
import test from 'ava';
import { createCaches } from '../src/caches.ts';
import { addCacheMetrics } from '../src/telemetry/cache-metrics.ts';

test('a cache drops the values that were used least recently when its bytes are used up', (t) => {
  const caches = createCaches();
  const dropped: string[] = [];
  caches.onDrop('rowTotals', (key) => dropped.push(key));
  const cache = caches.create<{ bytes: number }>('rowTotals', { sizeOf: ({ bytes }) => bytes });
  cache.set('a', { bytes: 400_000 });
  cache.set('b', { bytes: 400_000 });
  t.truthy(cache.get('a'));
  cache.set('c', { bytes: 400_000 });
  t.deepEqual([cache.get('a') !== undefined, cache.get('b'), cache.get('c') !== undefined], [true, undefined, true]);
  t.deepEqual(dropped, ['b']);
  t.deepEqual(caches.use(), [{ name: 'rowTotals', entries: 2, bytes: 800_002, hits: 3, misses: 1 }]);
});

test('a value that exceeds the budget of its cache is not kept', (t) => {
  const cache = createCaches().create<object>('rowTotals', { sizeOf: () => 2_000_000 });
  cache.set('large', {});
  t.is(cache.get('large'), undefined);
});

test('a value that leaves the cache while it is made is returned to all who wait for it', async (t) => {
  const caches = createCaches();
  const cache = caches.create<number>('rowTotals', { sizeOf: () => 1 });
  const { promise, resolve } = Promise.withResolvers<number>();
  const values = [cache.getOrMake('total', () => promise), cache.getOrMake('total', () => promise)];
  caches.clear();
  resolve(7);
  t.deepEqual(await Promise.all(values), [7, 7]);
});

test('metrics have what a cache holds and how often it was asked', async (t) => {
  const registry = new Registry<PrometheusContentType>();
  const caches = createCaches();
  addCacheMetrics(registry, caches);
  const cache = caches.create<number>('rowTotals', { sizeOf: () => 100 });
  t.is(await cache.getOrMake('total', async () => 7), 7);
  t.is(await cache.getOrMake('total', async () => 8), 7);
  // Twice, because reading metrics counts nothing.
  await registry.metrics();
  const text = await registry.metrics();
  for (const line of ['entries{cache="rowTotals"} 1', 'bytes{cache="rowTotals"} 101'])
    t.true(text.includes(`cache_${line}`), text);
  for (const line of ['hits_total{cache="rowTotals"} 1', 'misses_total{cache="rowTotals"} 1']) {
    t.true(text.includes(`cache_${line}`), text);
  }
});

test('a cache whose name exists already cannot be created', (t) => {
  const caches = createCaches();
  caches.create('runs', { sizeOf: () => 1 });
  t.throws(() => caches.create('runs', { sizeOf: () => 1 }), { message: /exists already/ });
});
