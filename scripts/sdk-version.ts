/**
 * Writes the version in lerna.json to the SDK: lerna runs it when it sets a new version. The other packages read their manifest, which a
 * bundled SDK cannot do.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import lerna from '../lerna.json' with { type: 'json' };

const file = join(import.meta.dirname, '..', 'packages', 'sdk', 'src', 'version.ts');
writeFileSync(file, readFileSync(file, 'utf8').replace(/(?<=version = ')[^']+/, lerna.version));
