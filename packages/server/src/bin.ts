#!/usr/bin/env node
import { hasRequiredNode } from './required-node.ts';
import { stopSignal } from './stop-signal.ts';

// Before the rest is loaded: as the first process of a container, a process ignores signals that it does not handle yet.
void stopSignal();

if (hasRequiredNode('runward-server')) void import('./main.ts');
