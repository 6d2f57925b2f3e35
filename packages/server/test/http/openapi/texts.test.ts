import test from 'ava';
import { openApiDocument } from '../../../src/http/openapi/document.ts';

type Node = Readonly<Record<string, unknown>>;

const document = openApiDocument('https://runward.example');

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

/** Every object of the document, with its place. */
function* nodesOf(value: unknown, at: readonly string[] = []): Generator<{ node: Node; at: readonly string[] }> {
  if (!isNode(value)) return;
  yield { node: value, at };
  for (const [key, each] of Object.entries(value)) yield* nodesOf(each, [...at, key]);
}

/** Whether an object describes itself, or the component that it refers to does. */
function isDescribed(value: unknown): boolean {
  if (!isNode(value)) return false;
  if (typeof value['description'] === 'string' && value['description'] !== '') return true;
  const { $ref: reference } = value;
  if (typeof reference !== 'string') return false;
  const path = reference.slice(2).split('/');
  return isDescribed(path.reduce<unknown>((node, key) => (isNode(node) ? node[key] : undefined), document));
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

for (const collection of ['properties', 'parameters', 'tags', 'responses', 'schemas', 'securitySchemes']) {
  test(`each of the ${collection} in the document has a description`, (t) => {
    t.deepEqual(undescribed(collection), []);
  });
}

test('the texts of the document are found at every depth', (t) => {
  const properties = [...nodesOf(document)].filter(({ at }) => at.at(-2) === 'properties');
  t.true(properties.length > 300);
  t.true(properties.some(({ at }) => at.filter((key) => key === 'properties').length > 1));
});
