/**
 * Writes the version in lerna.json to the SDK, the Python client and the Helm chart. lerna runs it when it sets a new
 * version. The other packages read their manifest, which a bundled SDK cannot do.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const { version } = JSON.parse(readFileSync(join(root, 'lerna.json'), 'utf8')) as { version: string };
for (const path of ['packages/sdk/src/version.ts', 'clients/python/src/runward/_version.py']) {
  const file = join(root, path);
  writeFileSync(file, readFileSync(file, 'utf8').replace(/(?<=version(?:__)? = (['"]))[^'"]+/, version));
}
const chart = join(root, 'deploy', 'helm', 'runward', 'Chart.yaml');
writeFileSync(chart, readFileSync(chart, 'utf8').replaceAll(/(?<=^(?:version|appVersion): ).+/gm, version));
