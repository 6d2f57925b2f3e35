interface Lookups<Value> {
  readonly running: Promise<Value>;
  next: Promise<Value> | null;
}

/**
 * Lets callers that ask for the same thing at the same time share a look-up, without anybody getting an answer that is older than the
 * question: who asks while a look-up runs waits for the next one, together with everyone else who asks meanwhile.
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
