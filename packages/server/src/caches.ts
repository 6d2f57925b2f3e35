import { LRUCache } from 'lru-cache';

/**
 * The bytes that each cache may hold, as the user of the cache estimates them. Together they are a part of the heap of
 * 256 MB that the service is started with.
 */
const budget = {
  /** Recently read or saved runs, with their rendered overviews. */
  runs: 16_000_000,
  /** Documents of published versions. */
  documents: 24_000_000,
  /** Rendered pages of portals. */
  portalPages: 8_000_000,
  /** Rendered texts of portals, tasks and comments. */
  portalTexts: 8_000_000,
  /** Totals of row lists. */
  rowTotals: 1_000_000,
} as const;

/** The name of a cache, in the budget and in the metrics. */
export type CacheName = keyof typeof budget;

/** How a cache keeps its values. */
export interface CacheOptions<Value> {
  /** Estimates the bytes that a value holds in memory. A value that exceeds the whole budget is not kept. */
  readonly sizeOf: (value: Value) => number;
  /** Milliseconds after which a value is dropped. By default values stay, because their keys contain their version. */
  readonly lifetimeMs?: number;
  /** Gets each value that the cache drops or replaces. */
  readonly onDrop?: (key: string, value: Value) => void;
  /** Returns milliseconds. Tests pass another clock. */
  readonly clock?: { now(): number };
}

/** Keeps values by key; the least recently used ones are dropped first. */
export interface Cache<Value> {
  get(key: string): Value | undefined;
  /** Returns whether the value is kept. */
  set(key: string, value: Value): boolean;
  delete(key: string): void;
  /** The value of a key, or what `make` returns. Concurrent callers wait for one value. */
  getOrMake(key: string, make: () => Promise<Value>): Promise<Value>;
}

/** The content of a cache, and how often it was asked. */
export interface CacheUse {
  readonly name: CacheName;
  readonly entries: number;
  readonly bytes: number;
  readonly hits: number;
  readonly misses: number;
}

/** The caches of one service. All caches are created here. */
export interface Caches {
  create<Value extends number | object | string>(name: CacheName, options: CacheOptions<Value>): Cache<Value>;
  /** Calls `listener` with each key whose value a cache drops or replaces. */
  onDrop(name: CacheName, listener: (key: string) => void): void;
  use(): CacheUse[];
  /** Drops all values, as if the process were new. */
  clear(): void;
}

/** Creates the caches of a service. Each name can be created once. */
export function createCaches(): Caches {
  const created = new Map<CacheName, { readonly use: () => CacheUse; readonly clear: () => void }>();
  const listeners = new Map<CacheName, ((key: string) => void)[]>();
  return {
    create: <Value extends number | object | string>(
      name: CacheName,
      { sizeOf, lifetimeMs = 0, onDrop, clock = performance }: CacheOptions<Value>,
    ): Cache<Value> => {
      if (created.has(name)) throw new Error(`The cache ${name} exists already.`);
      const counts = { hits: 0, misses: 0 };
      const counted = <Result>(result: Result, isHit: boolean) => {
        counts[isHit ? 'hits' : 'misses'] += 1;
        return result;
      };
      const cache = new LRUCache<string, Value, () => Promise<Value>>({
        maxSize: budget[name],
        sizeCalculation: (value) => Math.ceil(sizeOf(value)) + 1,
        ttl: lifetimeMs,
        ttlResolution: 0,
        perf: clock,
        fetchMethod: (_key, _stale, { context }) => context(),
        // A value that leaves the cache while it is made is still returned to the waiting callers.
        ignoreFetchAbort: true,
        dispose: (value, key) => {
          onDrop?.(key, value);
          listeners.get(name)?.forEach((listener) => listener(key));
        },
      });
      created.set(name, {
        use: () => ({ name, entries: cache.size, bytes: cache.calculatedSize, ...counts }),
        clear: () => cache.clear(),
      });
      return {
        get: (key) => {
          const value = cache.get(key);
          return counted(value, value !== undefined);
        },
        set: (key, value) => cache.set(key, value).has(key),
        delete: (key) => void cache.delete(key),
        getOrMake: (key, make) => counted(cache.forceFetch(key, { context: make }), cache.has(key)),
      };
    },
    onDrop: (name, listener) => void listeners.set(name, [...(listeners.get(name) ?? []), listener]),
    use: () => [...created.values()].map(({ use }) => use()),
    clear: () => {
      for (const { clear } of created.values()) clear();
    },
  };
}
