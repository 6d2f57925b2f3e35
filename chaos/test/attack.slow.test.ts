import { newDataFolder } from '@runward/testing/data-folder';
import test from 'ava';
import { attack } from '../attack/attack-run.ts';
import { attacks } from '../attack/attacks.ts';
import { describe, problemsOf } from '../attack/verdict.ts';

test('no attack of one organization ends the process, fails a request of another one, or loses its work', async (t) => {
  t.timeout(600_000);
  const folder = await newDataFolder();
  t.teardown(() => folder[Symbol.asyncDispose]());
  const started = new AsyncDisposableStack();
  t.teardown(() => started.disposeAsync());
  const result = await attack({
    folder: folder.path,
    started,
    aloneMs: 2_000,
    // Ten keys, so that the rate limits do not end an attack before it has begun.
    keys: 10,
    attackMs: 3_000,
    count: Object.keys(attacks).length,
    durationMs: 480_000,
    only: '',
    log: () => {},
  });
  t.deepEqual([...result.beside.keys()], Object.keys(attacks));
  for (const line of describe(result)) t.log(line);
  t.deepEqual(problemsOf(result), []);
  const stopped = result.waves.flatMap(({ statuses }) =>
    Object.keys(statuses).filter((key) => key.startsWith('stopped')),
  );
  t.deepEqual(stopped, [], 'attacks that could not be prepared');
});
