import test from 'ava';
import { loadIfInstalled } from '../../src/installation/optional-package.ts';

/** Imports a package by a name that the compiler does not look up. */
const load = (name: string) => (): Promise<unknown> => import(name);

test('a package that is not installed is null, and one that is installed is loaded', async (t) => {
  t.is(await loadIfInstalled('@runward/none', load('@runward/none')), null);
  t.truthy(await loadIfInstalled('@runward/s3', load('@runward/s3')));
});

test('an error is thrown if another package is missing, or if the module fails', async (t) => {
  await t.throwsAsync(loadIfInstalled('@runward/s3', load('@runward/none')), { code: 'ERR_MODULE_NOT_FOUND' });
  const failing = () => Promise.reject(new Error("'@runward/s3' failed"));
  await t.throwsAsync(loadIfInstalled('@runward/s3', failing), { message: /failed/ });
});
