/**
 * Writes the version in lerna.json to the SDK. lerna runs it when it sets a new version. The other packages read their
 * manifest, which a bundled SDK cannot do.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const { version } = JSON.parse(readFileSync(join(root, 'lerna.json'), 'utf8')) as { version: string };
const file = join(root, 'packages', 'sdk', 'src', 'version.ts');
writeFileSync(file, readFileSync(file, 'utf8').replace(/(?<=version = ')[^']+/, version));
