import test from 'ava';
import { checkKeys } from '../checker/keys.ts';
import type { KeyRequest, Revocation } from '../history/key-history.ts';

const request = (from: number, status: number | null): KeyRequest => {
  return { keyId: 'key', name: 'GET /runs of api 1', from, to: from + 5, status };
};

const rulesOf = (requests: readonly KeyRequest[], to: number | null = 120) => {
  const revocation: Revocation = { keyId: 'key', from: 100, to };
  return checkKeys({ revocations: [revocation], requests }).map(({ rule }) => rule);
};

test('a key may be used until its revocation is acknowledged, and may be rejected once it was sent', (t) => {
  t.deepEqual(
    rulesOf([request(10, 200), request(110, 200), request(120, 201), request(110, 401), request(96, 401)]),
    [],
  );
  t.deepEqual(rulesOf([request(121, 401), request(121, 503), request(121, null)]), []);
  t.deepEqual(rulesOf([request(121, 200), request(121, 401)], null), [], 'without a response');
});

test('the checker detects a revoked key that is let in', (t) => {
  t.deepEqual(rulesOf([request(121, 200), request(500, 404)]), ['revoked key', 'revoked key']);
});

test('the checker detects a key that is rejected without a revocation', (t) => {
  t.deepEqual(rulesOf([request(10, 401)]), ['key rejected']);
  t.is(checkKeys({ revocations: [], requests: [request(10, 401)] }).length, 1);
});
