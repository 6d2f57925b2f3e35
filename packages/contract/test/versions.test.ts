import { contract, isStream, type Endpoint } from '@runward/contract';
import test from 'ava';
import { z } from 'zod';

test('every response body of a versioned endpoint has a version', (t) => {
  const endpoints = Object.values(contract).flatMap((group) => Object.values<Endpoint>(group));
  for (const { method, path, versioned, response } of endpoints) {
    if (!versioned || !response) continue;
    t.false(isStream(response), path);
    const { $ref, $defs = {}, ...schema } = z.toJSONSchema(response as z.ZodType, { unrepresentable: 'any' });
    const { required = [] } = $defs[$ref?.replace('#/$defs/', '') ?? ''] ?? schema;
    t.true(required.includes('version'), `${method} ${path}`);
  }
});
