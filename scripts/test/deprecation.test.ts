import { deprecated, deprecationText } from '@runward/contract';
import test from 'ava';
import { z } from 'zod';
import { describe } from '../generate/sdk/methods.ts';
import { declarationOf } from '../generate/sdk/schema.ts';

const deprecation = { since: '2026-11-27', use: 'GET /runs' } as const;

test('the documentation of a deprecated method ends with a tag that says what to use', (t) => {
  const endpoint = { summary: 'List runs', access: 'runs:read' } as const;
  t.is(
    describe({ ...endpoint, deprecated: { ...deprecation, sunset: '2027-11-27' } }, ['@throws ApiError (400)']),
    'List runs.\n\nScope: `runs:read`.\n\n@throws ApiError (400)\n' +
      '@deprecated Deprecated since 2026-11-27; use `GET /runs` instead. It may be removed from 2027-11-27 on.',
  );
  t.false(describe(endpoint, []).includes('@deprecated'));
});

test('a deprecated property is marked in the document and in the types', (t) => {
  const schema = z.object({
    id: z.string(),
    owner: deprecated(z.string().describe('The owner.'), { ...deprecation, use: 'ownerUserId' }),
  });
  const json = z.toJSONSchema(schema);
  t.like(json.properties?.['owner'], {
    deprecated: true,
    description: 'The owner. Deprecated since 2026-11-27; use `ownerUserId` instead.',
  });
  t.regex(
    declarationOf('Old', json as Parameters<typeof declarationOf>[1]),
    /\* The owner\. Deprecated since 2026-11-27; use `ownerUserId` instead\.\n \* @deprecated\n \*\/\nowner: string;/,
  );
});

test('a deprecation that ends within less than 12 months is rejected', (t) => {
  t.notThrows(() => deprecationText({ ...deprecation, sunset: '2027-11-27' }));
  t.throws(() => deprecationText({ ...deprecation, sunset: '2027-11-26' }), {
    message: 'What is deprecated since 2026-11-27 must not be removed on 2027-11-26; choose 2027-11-27 or later.',
  });
});
