#!/usr/bin/env node
import { hasRequiredNode } from './required-node.ts';

if (hasRequiredNode('runward-server')) void import('./main.ts');
