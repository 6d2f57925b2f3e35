import {
  deprecationText,
  describeParameter,
  isBinary,
  isMultipart,
  parametersOf,
  type Endpoint,
  type GroupName,
  type Multipart,
} from '@runward/contract';
import { examples } from '@runward/contract/examples';
import { z } from 'zod';
import type { ZodOpenApiOperationObject } from 'zod-openapi';
import { headerParametersOf } from './headers.ts';
import { responsesOf } from './responses.ts';
import { accessOf, securityOf } from './security.ts';
import { tagOf } from './tags.ts';

/** An endpoint as an operation. */
export function operationOf(group: GroupName, name: string, endpoint: Endpoint): ZodOpenApiOperationObject {
  const operationId = `${group}.${name}`;
  const { deprecated } = endpoint;
  const { request, response } = examples[operationId] ?? {};
  return {
    operationId,
    tags: [tagOf(group)],
    summary: endpoint.summary,
    description: [deprecated && deprecationText(deprecated), endpoint.description, accessOf(endpoint)]
      .filter(Boolean)
      .join('\n\n'),
    ...(deprecated && { deprecated: true, ...(deprecated.sunset && { 'x-sunset': deprecated.sunset }) }),
    security: securityOf(endpoint),
    requestParams: {
      ...pathOf(endpoint),
      ...(endpoint.query && { query: endpoint.query }),
    },
    parameters: headerParametersOf(endpoint),
    ...(endpoint.body && { requestBody: requestBodyOf(endpoint.body, request) }),
    responses: responsesOf(endpoint, response),
  };
}

function pathOf(endpoint: Endpoint) {
  const params = [...parametersOf(endpoint)].map(([name, schema]) => {
    const description = schema.description ?? describeParameter(endpoint.path, name);
    return [name, description === undefined ? schema : schema.meta({ description })] as const;
  });
  return params.length > 0 && { path: z.object(Object.fromEntries(params)) };
}

function requestBodyOf(body: NonNullable<Endpoint['body']>, example: unknown) {
  if (isMultipart(body)) return { required: true, content: { 'multipart/form-data': multipartOf(body) } };
  if (isBinary(body)) {
    const schema = { type: 'string', format: 'binary' } as const;
    return { description: body.description, required: true, content: { '*/*': { schema } } };
  }
  const content = { 'application/json': { schema: body, example } };
  return { required: !body.safeParse(undefined).success, content };
}

function multipartOf({ id, fields, files }: Multipart) {
  const binary = ({ maximumBytes, contentTypes, description = '' }: Multipart['files'][string]) => {
    const limits = `At most ${maximumBytes / 2 ** 20} MiB. ${contentTypes.length > 0 ? `One of ${contentTypes.join(', ')}.` : ''}`;
    const note = `${description} ${limits}`.trim();
    return z.string().meta({ format: 'binary', description: note });
  };
  const parts = Object.fromEntries(Object.entries(files).map(([name, part]) => [name, binary(part)]));
  const encoding = Object.entries(files).flatMap(([name, { contentTypes }]) =>
    contentTypes.length > 0 ? [[name, { contentType: contentTypes.join(', ') }]] : [],
  );
  return {
    schema: fields.extend(parts).meta({ ...(id !== undefined && { id }), description: 'The parts of the form.' }),
    encoding: Object.fromEntries(encoding) as Record<string, object>,
  };
}
