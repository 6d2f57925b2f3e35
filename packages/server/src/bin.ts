#!/usr/bin/env node
import { hasRequiredNode } from './required-node.ts';

if (hasRequiredNode('runward-server')) void start();

async function start(): Promise<void> {
  const { stopSignal } = await import('./stop-signal.ts');
  // Before the rest is loaded: as the first process of a container, a process ignores signals that it does not handle yet.
  void stopSignal();
  await import('./main.ts');
}
