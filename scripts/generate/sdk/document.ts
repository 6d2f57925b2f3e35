import type { GroupName } from '@runward/contract';
import { openApiDocument } from '@runward/server/internal/http/openapi/document';
import { tagOf, tags } from '@runward/server/internal/http/openapi/tags';

/** The JSON Schema keywords in the OpenAPI document that matter to a type. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
}

/** A parameter of an operation, or a reference to one that several have. */
export interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly required?: boolean;
  readonly schema: Schema;
}

/** An operation of the OpenAPI document. */
export interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Body & { readonly required?: boolean };
  readonly responses: Readonly<Record<string, Body>>;
}

interface Body {
  readonly description?: string;
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

const document = openApiDocument() as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};

/** The components of the OpenAPI document, by name. */
export const components = document.components.schemas;

/** The operations of the OpenAPI document, by id, like `runs.tasks.get`. */
const operations: ReadonlyMap<string, Operation> = new Map(
  Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).map((operation) => [operation.operationId, operation]),
  ),
);

/** The operation with an id. */
export function operationOf(id: string): Operation {
  const operation = operations.get(id);
  if (!operation) throw new Error(`The OpenAPI document has no operation ${id}.`);
  return operation;
}

/** The schema of the only content of a body; undefined if there is none. */
export function schemaOf(body: Body | undefined): Schema | undefined {
  return Object.values(body?.content ?? {})[0]?.schema;
}

/** What a group of endpoints is about. */
export function groupText(group: string): string {
  const name = tagOf(group as GroupName);
  return tags.find((tag) => tag.name === name)?.description ?? '';
}

/** The name of the component that a reference leads to. */
export function nameOf(reference: string): string {
  return reference.replace(/^.*\//, '');
}
