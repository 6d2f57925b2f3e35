#!/usr/bin/env node
import { hasRequiredNode } from './required-node.ts';

if (hasRequiredNode('runward-server')) {
  // Listens for signals before the rest is loaded: the first process of a container ignores signals that it does not
  // handle yet.
  const stopSignal = new Promise<NodeJS.Signals>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, resolve);
  });
  void import('./main.ts').then(({ main }) => main(stopSignal));
}
