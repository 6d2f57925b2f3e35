import { contract, parameterNames, type Endpoint } from '@runward/contract';
import test from 'ava';
import { findEndpoint } from '../../src/api/find-endpoint.ts';

const id = '0195f3a0-5a50-7c1e-9d0f-3f2b8c1d4e5f';

test('every endpoint of the contract is found by its method and path, with its parameters', (t) => {
  for (const [group, table] of Object.entries(contract)) {
    for (const [name, endpoint] of Object.entries<Endpoint>(table)) {
      const found = findEndpoint(endpoint.method, endpoint.path.replace(/:\w+/g, id));
      t.is(found?.operation, `${group}.${name}`);
      t.deepEqual(
        found?.params,
        parameterNames(endpoint.path).map(() => id),
      );
    }
  }
});

test('a literal segment takes precedence over a parameter, and a parameter is decoded', (t) => {
  t.is(findEndpoint('GET', '/runs/counts')?.operation, 'runs.counts');
  t.deepEqual(findEndpoint('GET', '/runs/a%20b')?.params, ['a b']);
  t.deepEqual(findEndpoint('GET', '/runs/%zz')?.params, ['%zz']);
});

test('an unknown path or method is not found', (t) => {
  t.is(findEndpoint('GET', '/newer'), null);
  t.is(findEndpoint('GET', `/runs/${id}/newer`), null);
  t.is(findEndpoint('DELETE', '/runs'), null);
});
