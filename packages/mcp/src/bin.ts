#!/usr/bin/env node
import { hasRequiredNode } from './required-node.ts';

if (hasRequiredNode()) void import('./main.ts');
