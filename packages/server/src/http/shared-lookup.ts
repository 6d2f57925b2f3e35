interface Lookups<Value> {
  readonly running: Promise<Value>;
  next: Promise<Value> | null;
}

/**
 * Shares lookups of the same key between concurrent callers. No caller gets a result that is older than its call: callers that arrive
 * during a lookup wait together for the next one.
 */
export function sharedLookup<Value>(load: (key: string) => Promise<Value>): (key: string) => Promise<Value> {
  const lookups = new Map<string, Lookups<Value>>();

  function start(key: string): Promise<Value> {
    const lookup: Lookups<Value> = { running: load(key), next: null };
    lookups.set(key, lookup);
    const end = () => {
      if (lookups.get(key) === lookup && !lookup.next) lookups.delete(key);
    };
    lookup.running.then(end, end);
    return lookup.running;
  }

  return (key) => {
    const lookup = lookups.get(key);
    if (!lookup) return start(key);
    const startNext = () => start(key);
    lookup.next ??= lookup.running.then(startNext, startNext);
    return lookup.next;
  };
}
