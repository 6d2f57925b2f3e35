import { randomUUID } from 'node:crypto';
import { consolePages } from '@runward/server/internal/pages/console/console-pages';
import { localPath } from '@runward/server/internal/pages/sign-in/local-path';
import test from 'ava';

test('every page of the console, also one that only takes a form, can be the next after signing in', (t) => {
  for (const { path } of Object.values(consolePages)) {
    const filled = path.replaceAll(/:\w+/g, () => randomUUID());
    t.is(localPath(filled), filled);
    t.is(localPath(`${filled}?entry=new`), `${filled}?entry=new`);
  }
});

test('anything else leads to the console', (t) => {
  for (const path of [
    null,
    '',
    '//evil.example',
    '/console//evil',
    '/console\\evil',
    '/auth/logout',
    'https://evil.example/',
  ]) {
    t.is(localPath(path), '/console');
  }
});
