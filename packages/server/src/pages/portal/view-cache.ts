import { LRUCache } from 'lru-cache';
import type { RenderedPortal } from './render-portal.ts';

/** How long a page of a portal shows the same data, in seconds. */
export const viewSeconds = 5;

const maximumCharacters = 32_000_000;

/** Keeps rendered pages for a few seconds. Concurrent requests for the same page wait for one rendering. */
export interface ViewCache {
  /** The page of a key, or what `render` makes. */
  get(key: string, render: () => Promise<RenderedPortal>): Promise<RenderedPortal>;
}

/** Creates a cache of at most 32 million characters. `clock` returns milliseconds. */
export function createViewCache(clock: { now(): number } = performance): ViewCache {
  const cache = new LRUCache<string, RenderedPortal, () => Promise<RenderedPortal>>({
    ttl: viewSeconds * 1_000,
    ttlResolution: 0,
    maxSize: maximumCharacters,
    maxEntrySize: maximumCharacters,
    sizeCalculation: ({ main, header }) => main.length + header.length + 1,
    perf: clock,
    fetchMethod: (_key, _stale, { context }) => context(),
  });
  return { get: (key, render) => cache.forceFetch(key, { context: render }) };
}
