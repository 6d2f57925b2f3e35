#!/usr/bin/env node
import { hasRequiredNode } from './required-node.ts';

if (hasRequiredNode('runward-server')) {
  // Before the rest is loaded: as the first process of a container, a process ignores signals that it does not handle yet.
  const stopSignal = new Promise<NodeJS.Signals>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, resolve);
  });
  void import('./main.ts').then(({ main }) => main(stopSignal));
}
