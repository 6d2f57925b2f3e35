let first: Promise<NodeJS.Signals> | undefined;

/** Handles signals that tell the process to stop from the first call on. Resolves with the first of them; later ones are ignored. */
export function stopSignal(): Promise<NodeJS.Signals> {
  first ??= new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, resolve);
  });
  return first;
}
