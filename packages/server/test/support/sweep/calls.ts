import type { Endpoint } from '@runward/contract';
import type { ApiResponse, Api } from '@runward/testing/api';
import { statusesOf } from '../../../src/http/openapi/responses.ts';
import { dataSourceExamples } from '../examples/data-sources.ts';
import type { Example } from '../examples/example.ts';
import { fileExamples } from '../examples/files.ts';
import { organizationExamples } from '../examples/organization.ts';
import { portalExamples } from '../examples/portals.ts';
import { runExamples } from '../examples/runs.ts';
import { templateFieldExamples } from '../examples/template-fields.ts';
import { templateLogicExamples } from '../examples/template-logic.ts';
import { templatePartExamples } from '../examples/template-parts.ts';
import { templateExamples } from '../examples/templates.ts';
import { webhookExamples } from '../examples/webhooks.ts';
import type { Ids, World } from '../world/world.ts';
import { encode } from './encode.ts';
import type { NamedEndpoint } from './endpoints.ts';

/** What one call sends besides its method and fixed path. */
export interface Call {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
}

const examples = {
  ...fileExamples,
  ...runExamples,
  ...templateExamples,
  ...templateFieldExamples,
  ...templateLogicExamples,
  ...templatePartExamples,
  ...dataSourceExamples,
  ...portalExamples,
  ...webhookExamples,
  ...organizationExamples,
} as Readonly<Record<string, Readonly<Record<string, readonly Example[]>>>>;

/** What a path's parameter is the id of, by the fixed segments before it. */
const subjects: Readonly<Record<string, keyof Ids>> = {
  'api-keys': 'apiKey',
  'auth/passkeys': 'passkey',
  'auth/sessions': 'session',
  'data-sources': 'dataSource',
  'data-sources/columns': 'column',
  'data-sources/rows': 'row',
  'execution/entries': 'entry',
  'execution/field-values': 'fieldValue',
  'execution/tasks': 'runTask',
  files: 'file',
  folders: 'folder',
  grants: 'grant',
  groups: 'group',
  mails: 'mail',
  portals: 'portal',
  'portals/access-rules': 'accessRule',
  'portals/pages': 'portalPage',
  'portals/report-presets': 'preset',
  runs: 'run',
  'runs/comments': 'comment',
  'runs/tasks': 'runTask',
  'runs/tasks/form-links': 'formLink',
  'saved-views': 'view',
  'shared-templates': 'share',
  templates: 'template',
  'templates/phases': 'phase',
  'templates/tasks': 'task',
  'templates/tasks/fields': 'field',
  'templates/tasks/rules': 'rule',
  'templates/variables': 'variable',
  'templates/versions': 'version',
  users: 'member',
  webhooks: 'webhook',
  'webhooks/deliveries': 'delivery',
};

function paramsOf(
  { method, path }: Endpoint,
  ids: Ids,
  { fileToken, uploadToken, shareToken, portalSlug }: World,
): Record<string, string> {
  const params: Record<string, string> = {};
  const fixed: string[] = [];
  for (const segment of path.split('/').slice(1)) {
    if (!segment.startsWith(':')) {
      fixed.push(segment);
      continue;
    }
    const name = segment.slice(1);
    if (name === 'token') {
      const ofFile = method === 'PUT' ? uploadToken : fileToken;
      params[name] = fixed[0] === 'files' ? ofFile : shareToken;
      continue;
    }
    if (name === 'slug') {
      params[name] = portalSlug;
      continue;
    }
    const subject = subjects[fixed.join('/')];
    if (!subject) throw new Error(`Say in test/support/sweep/calls.ts what ${segment} of ${path} is the id of.`);
    params[name] = ids[subject];
  }
  return params;
}

/**
 * The calls known to succeed at an endpoint: one with nothing but the path where `test/support/examples` describes
 * none.
 */
export function examplesOf({ name }: NamedEndpoint): readonly Example[] {
  const dot = name.lastIndexOf('.');
  return examples[name.slice(0, dot)]?.[name.slice(dot + 1)] ?? [{}];
}

/** An example as it is sent, with these ids. Throws where nobody has said what a parameter of the path stands for. */
export function callOf({ endpoint }: NamedEndpoint, { query, body }: Example, ids: Ids, world: World): Call {
  return {
    params: paramsOf(endpoint, ids, world),
    query: (query?.(ids) ?? {}) as Record<string, string>,
    body: body?.(ids, world),
  };
}

/** The world's ids, with those of what an example needs made anew. */
export async function prepare({ before }: Example, world: World): Promise<Ids> {
  return { ...world.ids, ...(await before?.(world)) };
}

/**
 * Sends a call, with these headers besides those of the caller. Throws if OpenAPI does not declare the status of the
 * response.
 */
export async function send(
  api: Api,
  { endpoint, name }: NamedEndpoint,
  { params, query, body }: Call,
  headers: Readonly<Record<string, string>> = {},
): Promise<ApiResponse<unknown>> {
  const path = endpoint.path.replaceAll(/:(\w+)/g, (_, name: string) => params[name] ?? '');
  const search = new URLSearchParams(query).toString();
  const sent = body === undefined ? {} : { body: encode(endpoint, body) };
  const answer = await api.raw(endpoint.method, search ? `${path}?${search}` : path, { ...sent, headers });
  if (!statusesOf(endpoint).includes(answer.status)) {
    throw new Error(`${name} returned ${answer.status}; name it in \`errors\` of its contract entry if that is right.`);
  }
  return answer;
}

/**
 * How many records a response lists. A feed has no total and shows its records; a CSV has a line for each below its
 * header.
 */
export function totalOf({ body }: Pick<ApiResponse<unknown>, 'body'>): number {
  if (typeof body === 'string') return body.split('\r\n').length - 2;
  const { total, data } = body as { total?: number; data: unknown[] };
  return total ?? data.length;
}
