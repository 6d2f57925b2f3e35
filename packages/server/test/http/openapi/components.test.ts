import test from 'ava';
import { document, isNode, nodesOf } from './nodes.ts';

const { schemas } = document.components;

/** Everything but the components themselves, with its place. */
const parts = [...nodesOf(document)]
  .filter(({ at }) => !(at.length === 3 && at[0] === 'components'))
  .map(({ node, at }) => ({ node, place: at.join('/') }));

test('each enum with several values is a component', (t) => {
  const inline = parts.filter(({ node }) => Array.isArray(node['enum']));
  t.deepEqual(
    inline.map(({ place }) => place),
    [],
    'Give the enum a meta id.',
  );
});

test('each object with properties is a component', (t) => {
  const inline = parts.filter(({ node }) => node['type'] === 'object' && isNode(node['properties']));
  t.deepEqual(
    inline.map(({ place }) => place),
    [],
    'Give the object a meta id.',
  );
});

test('each body of a request or response is a component, unless it is a file', (t) => {
  const bodies = parts.filter(({ place }) => /\/content\/[^/]+\/[^/]+\/schema$/.test(place));
  t.true(bodies.length > 100);
  const inline = bodies.filter(({ node }) => typeof node['$ref'] !== 'string' && node['format'] !== 'binary');
  t.deepEqual(
    inline.map(({ place }) => place),
    [],
    'Give the body a meta id.',
  );
});

test('a schema that requests and responses use is one component', (t) => {
  // The library adds `Output` to the name of a component that differs between the two.
  t.deepEqual(
    Object.keys(schemas).filter((name) => name.endsWith('Output')),
    [],
  );
  t.false('additionalProperties' in (schemas['DueRule'] ?? {}));
  t.is(schemas['LaunchRun']?.['additionalProperties'], false, 'Bodies of requests reject unknown properties.');
});
