import { contract, effectOf, type Endpoint } from '@runward/contract';
import test from 'ava';
import { acceptedAge } from '../../src/http/reading.ts';

test('max-stale says how old a response may be', (t) => {
  t.is(acceptedAge('max-stale=5'), 5);
  t.is(acceptedAge('no-transform, Max-Stale=0'), 0);
  t.is(acceptedAge('max-stale'), Infinity);
});

test('without a valid max-stale, only the current state is accepted', (t) => {
  for (const header of [
    '',
    'max-age=0',
    'max-stale=',
    'max-stale=x',
    'max-stale=-1',
    'max-stale="5"',
    'no-cache, max-stale=5',
  ]) {
    t.is(acceptedAge(header), null, header);
  }
});

test('only endpoints that read may read at a replica', (t) => {
  const endpoints = Object.values(contract).flatMap((group): Endpoint[] => Object.values(group));
  const reading = endpoints.filter(({ reads }) => reads !== undefined);
  t.true(reading.length > 15);
  for (const endpoint of reading) t.is(effectOf(endpoint), 'read', endpoint.path);
});
