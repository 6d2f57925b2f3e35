import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '@runward/testing/program';
import test from 'ava';
import { isWebhookVerificationError, verify } from '../src/index.ts';

interface Vector {
  readonly name: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
  /** Epoch seconds. */
  readonly now: number;
  readonly tolerance: number;
  /** The code of the error; null for a delivery that is accepted. */
  readonly code: string | null;
}

// The tests of the Python client read the same file.
const file = join(repository, 'clients', 'python', 'tests', 'webhook-vectors.json');
const vectors = JSON.parse(readFileSync(file, 'utf8')) as readonly Vector[];

test('verify decides about each delivery as the client in Python does', async (t) => {
  t.true(vectors.length > 40);
  for (const { name, body, headers, secrets, now, tolerance, code } of vectors) {
    const options = { secrets, now: now * 1000, toleranceSeconds: tolerance };
    const found = await verify(body, headers, options).then(
      () => null,
      (error: unknown) => (isWebhookVerificationError(error) ? error.code : String(error)),
    );
    t.is(found, code, name);
  }
});
