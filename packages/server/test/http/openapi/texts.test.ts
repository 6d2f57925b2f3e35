import test from 'ava';
import { document, isNode, nodesOf, resolve } from './nodes.ts';

/** Whether an object describes itself, or the component that it refers to does. */
function isDescribed(value: unknown): boolean {
  if (!isNode(value)) return false;
  if (typeof value['description'] === 'string' && value['description'] !== '') return true;
  const { $ref: reference } = value;
  return typeof reference === 'string' && isDescribed(resolve(reference));
}

/** The places of those objects below a key like `properties` that have no description. */
function undescribed(collection: string): string[] {
  return [...nodesOf(document)].flatMap(({ node, at }) => {
    const members = node[collection];
    if (!isNode(members) || at.at(-1) === 'properties') return [];
    // The tags of an operation are names of those at the top.
    const missing = Object.entries(members).filter(([, member]) => typeof member !== 'string' && !isDescribed(member));
    return missing.map(([key]) => [...at, collection, key].join('/'));
  });
}

for (const collection of ['properties', 'parameters', 'tags', 'responses', 'headers', 'schemas', 'securitySchemes']) {
  test(`each of the ${collection} in the document has a description`, (t) => {
    t.deepEqual(undescribed(collection), []);
  });
}

test('the properties of components are among those that are checked', (t) => {
  const places = [...nodesOf(document)].map(({ at }) => at.join('/'));
  t.true(places.includes('components/schemas/Run/properties/status'));
  t.true(places.filter((place) => /\/properties\/\w+$/.test(place)).length > 300);
});
