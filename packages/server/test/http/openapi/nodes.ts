import { openApiDocument } from '../../../src/http/openapi/document.ts';

/** An object of the document. */
export type Node = Readonly<Record<string, unknown>>;

/** The document that the tests of this folder read. */
export const document = openApiDocument() as Node & {
  readonly components: { readonly schemas: Readonly<Record<string, Node>> };
};

/** Whether a value is an object or an array. */
export const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

/** Every object below a value, with the keys that lead to it. */
export function* nodesOf(value: unknown, at: readonly string[] = []): Generator<{ node: Node; at: readonly string[] }> {
  if (!isNode(value)) return;
  yield { node: value, at };
  for (const [key, each] of Object.entries(value)) yield* nodesOf(each, [...at, key]);
}

/** The component that a reference like `#/components/schemas/Run` names. */
export function resolve(reference: string): unknown {
  const path = reference.slice(2).split('/');
  return path.reduce<unknown>((node, key) => (isNode(node) ? node[key] : undefined), document);
}
