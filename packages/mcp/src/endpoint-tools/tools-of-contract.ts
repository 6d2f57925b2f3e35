import { describeParameter, effectOf, parameterNames, parametersOf } from '@runward/contract';
import type { Client } from '@runward/sdk';
import { z } from 'zod';
import { inputSchemaOf, type JsonSchema } from '../json-schema.ts';
import { ToolError } from '../tool-error.ts';
import type { Tool, ToolResult } from '../tool.ts';
import { unknownArguments } from '../unknown-arguments.ts';
import { groupOf, isDestructive, operations, toolName, type CallableOperation } from './operations.ts';
import { shortSchema } from './short-schema.ts';

/** The number of items that an endpoint's tool requests by default. */
const defaultLimit = 20;

/** The tool of an endpoint. In lists, its description and its schema are short. */
export interface EndpointTool extends Tool {
  readonly group: string;
  readonly wholeDescription: string;
  readonly wholeSchema: () => JsonSchema;
}

/** The tools of all endpoints, by group. */
const byGroup = Map.groupBy(operations.map(toTool), ({ group }) => group);

/** The tools for the endpoints of these groups, in the order of the contract. */
export function toolsOf(groups: readonly string[]): EndpointTool[] {
  return groups.flatMap((group) => byGroup.get(group) ?? []);
}

function toTool(operation: CallableOperation): EndpointTool {
  const { name, endpoint } = operation;
  const { method, access, summary, description = '' } = endpoint;
  const wholeSchema = () => inputSchemaOf(inputOf(operation));
  let schema: JsonSchema | undefined;
  return {
    group: groupOf(name),
    name: toolName(name),
    description: joined(summary, firstSentence(description)),
    wholeDescription: joined(summary, description),
    scopes: access === 'authenticated' ? [] : [access],
    effect: effectOf(endpoint),
    isDestructive: isDestructive(operation),
    isIdempotent: method === 'PUT' || method === 'DELETE',
    inputSchema: () => (schema ??= shortSchema(wholeSchema())),
    wholeSchema,
    call: ({ client }, args) => call(client, operation, args),
  };
}

function joined(summary: string, description: string): string {
  return description === '' ? `${summary}.` : `${summary}. ${description}`;
}

function firstSentence(text: string): string {
  return text.split(/(?<=\.) (?=[A-Z`])/, 1)[0] ?? '';
}

/** The arguments of a tool: path and query parameters by name, and the body as `body`. */
function inputOf({ endpoint }: CallableOperation): z.ZodObject {
  const { path, query, body } = endpoint;
  const parameters = [...parametersOf(endpoint)].map(([name, schema]) => {
    const text = schema.description ?? describeParameter(path, name);
    return [name, text === undefined ? schema : schema.meta({ description: text })] as const;
  });
  return z.strictObject({ ...Object.fromEntries(parameters), ...query?.shape, ...(body && { body }) });
}

/** The service checks the values of the arguments and reports what is wrong. */
async function call(client: Client, operation: CallableOperation, args: unknown): Promise<ToolResult> {
  const { name, endpoint } = operation;
  const given = { ...(args as Readonly<Record<string, unknown>>) };
  const known = Object.keys(inputOf(operation).shape);
  const inBody = endpoint.body instanceof z.ZodObject ? Object.keys(endpoint.body.shape) : [];
  const unknown = unknownArguments(Object.keys(given), known, inBody);
  if (unknown.length > 0) throw new ToolError(...unknown);
  const parameters = parameterNames(endpoint.path);
  // The SDK has other names for its arguments, so its error would not name the missing one.
  const missing = parameters.filter((each) => typeof given[each] !== 'string' || given[each] === '');
  if (missing.length > 0) throw new ToolError(...missing.map((each) => `${each}: must be a non-empty string`));
  const { body, ...rest } = given;
  const path = parameters.map((parameter) => rest[parameter]);
  const query = queryOf(endpoint.query, rest);
  const result = await methodOf(client, name)(...path, ...(endpoint.body ? [body] : []), ...(query ? [query] : []));
  return toResult(endpoint.summary, result);
}

function queryOf(schema: z.ZodObject | undefined, given: Readonly<Record<string, unknown>>) {
  if (!schema) return null;
  const names = Object.keys(schema.shape);
  const query = Object.fromEntries(Object.entries(given).filter(([name]) => names.includes(name)));
  return names.includes('limit') ? { limit: defaultLimit, ...query } : query;
}

type Method = (...args: readonly unknown[]) => Promise<unknown>;

/** The SDK method for an operation. It always exists, because operations are named by the contract. */
function methodOf(client: Client, operation: string): Method {
  return operation
    .split('.')
    .reduce<unknown>((node, word) => (node as Readonly<Record<string, unknown>>)[word], client) as Method;
}

function toResult(summary: string, result: unknown): ToolResult {
  if (typeof result !== 'object' || result === null) return { summary: `Done: ${summary}.` };
  return { summary: `${summary}:`, data: result as Readonly<Record<string, unknown>> };
}
