import { chmodSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { repository } from '@runward/testing/program';
import { sign } from '@runward/webhooks';
import { blocksOf } from './blocks.ts';

const pdf = '%PDF-1.4\n%%EOF\n';
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==',
  'base64',
);

/** The JSON of a page that begins like this. */
function jsonOf(page: string, start: string): string {
  return blocksOf(page).find(({ text }) => text.startsWith(start))?.text ?? '';
}

/** Writes the files that command lines of the pages read. */
export async function fillFolder(
  folder: string,
  service: { readonly baseUrl: string; readonly apiKey: string; readonly signingSecret: string },
): Promise<void> {
  const { baseUrl, apiKey, signingSecret } = service;
  const write = (path: string, content: string | Buffer) => writeFileSync(join(folder, path), content);
  symlinkSync(join(repository, 'examples'), join(folder, 'examples'));
  for (const name of ['.runward', '.config', 'bin', 'copies', 'attached']) mkdirSync(join(folder, name));
  write('.runward/credentials.json', JSON.stringify({ baseUrl, apiKey }));
  for (const name of ['contract.pdf', 'page-1.pdf', 'page-2.pdf', 'attached/other.pdf']) write(name, pdf);
  // As large as the guide to files says, but only its beginning takes space on the disk.
  write('scan.pdf', pdf);
  truncateSync(join(folder, 'scan.pdf'), 48_213_604);
  for (const name of ['signature.png', 'logo.png']) write(name, png);
  write('log.txt', 'One line\n');
  write('attached/log.txt.gz', gzipSync('One line\n'));
  write('password.txt', 'correct horse battery staple\n');
  write('erp.csv', 'NAME1,STRAS,STCEG\nAcme GmbH,Hauptstraße 1,DE123456789\n');
  write('row.json', '{ "active": false }');
  write('overview.json', jsonOf('docs/guides/portals.md', '['));
  write('purchase.json', jsonOf('docs/guides/templates.md', '{\n  "name": "Purchase"'));
  const event = JSON.stringify({
    event: 'run.completed',
    deliveryId: '019a5b0e-6a2f-7c1d-9a52-2f0f6c1d3e41',
    timestamp: new Date().toISOString(),
    orgId: '019a5b0e-7d10-7b52-8c3e-5b8e0d9a7f16',
    data: { runId: '1', templateId: '2', sequence: 3 },
  });
  for (const name of ['event.json', 'body.json']) write(name, event);
  const headers = await sign(event, { secret: signingSecret });
  write(
    'headers.txt',
    Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}\n`)
      .join(''),
  );
  // The programs of others that the pages pipe from.
  for (const [name, script] of [
    ['pass', `echo ${apiKey}`],
    ['pdftk', 'cat page-1.pdf'],
  ] as const) {
    write(`bin/${name}`, `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, 'bin', name), 0o755);
  }
}
