#!/usr/bin/env node
import { hasRequiredNode } from '../required-node.ts';

if (hasRequiredNode('runward-admin')) void import('./main.ts');
