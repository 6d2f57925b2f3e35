#!/usr/bin/env node
import { hasRequiredNode } from './required-node.ts';

if (hasRequiredNode('runward-server')) {
  // Listens before the rest is loaded, because the first process of a container ignores signals without a handler.
  const stopSignal = new Promise<NodeJS.Signals>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, resolve);
  });
  void import('./main.ts').then(({ main }) => main(stopSignal));
}
