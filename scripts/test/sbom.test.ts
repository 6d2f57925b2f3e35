import test from 'ava';
import type { LockFile } from '../pack/lock-file.ts';
import { completeBom, type Bom, type BomDetails, type Component } from '../pack/sbom.ts';

const component = (name: string, rest: Partial<Component> = {}): Component => ({
  'bom-ref': `${name}@1.0.0`,
  type: 'library',
  name,
  version: '1.0.0',
  purl: `pkg:npm/${name}@1.0.0`,
  ...rest,
});
const mit = [{ license: { id: 'MIT' } }];

const lock: LockFile = {
  lockfileVersion: 3,
  packages: {
    'packages/server': { version: '1.0.0', license: 'UNLICENSED' },
    'node_modules/old': { version: '1.0.0' },
    'node_modules/odd': { version: '1.0.0', license: 'BSD-0-Clause' },
    'packages/server/node_modules/font': { version: '3.0.0', license: 'MIT AND OFL-1.1' },
    'node_modules/font': { version: '2.0.0', license: 'MIT' },
  },
};
const details: BomDetails = { name: 'installation', lock, licenseAt: () => null, copied: {}, at: null };

const bomOf = (...components: Component[]): Bom => ({
  serialNumber: 'urn:uuid:1',
  metadata: { timestamp: '2026-01-05T12:00:00.000Z', component: component('folder') },
  components,
});
const complete = (given: Component, changes: Partial<BomDetails> = {}) =>
  completeBom(bomOf(component('koa', { licenses: mit }), given), { ...details, ...changes }).components[1];

test('a bill has no random number and no time of its own, and the name of what it describes', (t) => {
  const bom = completeBom(bomOf(), details);
  t.deepEqual(Object.keys(bom), ['metadata', 'components']);
  t.deepEqual(bom.metadata, {
    component: component('installation', { 'bom-ref': 'folder@1.0.0', purl: 'pkg:npm/folder@1.0.0' }),
  });
  t.is(completeBom(bomOf(), { ...details, at: 1_767_614_400 }).metadata.timestamp, '2026-01-05T12:00:00.000Z');
});

test('an archive is referred to by its name, and a URL stays', (t) => {
  const references = ['file:/home/me/packed/runward-server-1.0.0.tgz', 'https://example.com/koa'].map((url) => ({
    type: 'distribution',
    url,
  }));
  t.deepEqual(
    complete(component('@runward/server', { externalReferences: references }))?.externalReferences?.map(
      ({ url }) => url,
    ),
    ['runward-server-1.0.0.tgz', 'https://example.com/koa'],
  );
});

test('a license that npm lacks is that of the lock file, or of an old manifest, and has an identifier if SPDX has it', (t) => {
  t.deepEqual(complete(component('@runward/server'))?.licenses, [{ license: { name: 'UNLICENSED' } }]);
  t.deepEqual(complete(component('odd'))?.licenses, [{ license: { name: 'BSD-0-Clause' } }]);
  t.deepEqual(
    complete(component('old'), { licenseAt: (place) => (place === 'node_modules/old' ? 'MIT' : null) })?.licenses,
    mit,
  );
  t.throws(() => complete(component('old')), { message: /^old 1\.0\.0 has no license in package-lock\.json/ });
});

test('what a package contains of others is part of it, in the version that was copied', (t) => {
  const server = complete(component('@runward/server'), { copied: { server: ['font'] } });
  t.deepEqual(server?.components, [
    {
      'bom-ref': '@runward/server@1.0.0/font@3.0.0',
      type: 'library',
      name: 'font',
      version: '3.0.0',
      purl: 'pkg:npm/font@3.0.0',
      licenses: [{ expression: 'MIT AND OFL-1.1' }],
    },
  ]);
  t.throws(() => complete(component('@runward/server'), { copied: { server: ['none'] } }), {
    message: 'package-lock.json lacks none, which @runward/server contains.',
  });
});
