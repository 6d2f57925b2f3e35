import { ResourceNotFoundError, type Resource, type ResourceTemplateType } from '@modelcontextprotocol/server';
import { isNotFound } from '@runward/sdk';
import { isId } from '@runward/sdk/find';
import { describeRun, nameRun } from './describe-run.ts';
import { outline } from './outline.ts';
import { ToolError } from './tool-error.ts';
import type { ToolContext, ToolResult } from './tool.ts';
import { describePublished } from './tools/describe-template.ts';
import { bounded } from './wire.ts';

const mimeType = 'text/plain';

/** Maximum number of templates and of runs to list. Others can be read by id. */
const maximumListed = 50;

/** The resources that exist for every id. */
export const resourceTemplates: readonly ResourceTemplateType[] = [
  {
    uriTemplate: 'runward://templates/{templateId}',
    name: 'template',
    title: 'Template',
    description: 'The published version of a template: its variables, tasks and fields.',
    mimeType,
  },
  {
    uriTemplate: 'runward://runs/{runId}',
    name: 'run',
    title: 'Run',
    description: 'A run with its progress, its open tasks and the values that were entered.',
    mimeType,
  },
];

/** The newest published templates and active runs that the key can read. */
export async function listResources({ client, scopes }: ToolContext): Promise<Resource[]> {
  const templates = scopes.has('templates:read')
    ? await client.templates.list({ status: 'PUBLISHED', limit: maximumListed })
    : { data: [] };
  const runs = scopes.has('runs:read')
    ? await client.runs.list({ statuses: ['RUNNING', 'OVERDUE'], limit: maximumListed })
    : { data: [] };
  return [
    ...templates.data.map(({ id, name, description }) => ({
      uri: `runward://templates/${id}`,
      name: `Template: ${name}`,
      description: description ?? undefined,
      mimeType,
    })),
    ...runs.data.map((run) => ({ uri: `runward://runs/${run.id}`, name: `Run: ${nameRun(run)}`, mimeType })),
  ];
}

/**
 * The text of a resource.
 *
 * @throws ResourceNotFoundError, or an error of the SDK
 */
export async function readResource(context: ToolContext, uri: string) {
  const { summary, data = {} } = await find(context, uri);
  const text = bounded(`${summary}\n\n${outline(data)}`, 'describe_template and read_form return one task.');
  return { contents: [{ uri, mimeType, text }] };
}

async function find(context: ToolContext, uri: string): Promise<ToolResult> {
  const [, kind, id = ''] = /^runward:\/\/(templates|runs)\/([0-9a-f-]{36})$/i.exec(uri) ?? [];
  const { client } = context;
  try {
    if (kind === 'templates' && isId(id)) return await describePublished(context, await client.templates.get(id));
    if (kind === 'runs' && isId(id)) return await describeWithValues(context, id);
  } catch (error) {
    if (!isNotFound(error) && !(error instanceof ToolError)) throw error;
  }
  throw new ResourceNotFoundError(uri);
}

async function describeWithValues(context: ToolContext, id: string): Promise<ToolResult> {
  const run = await context.client.runs.get(id);
  const { data } = await context.client.runs.summaries(run.id);
  const values = data.flatMap(({ title, fields }) =>
    fields
      .filter(({ displayValue }) => displayValue !== null)
      .map(({ label, displayValue }) => ({ task: title, field: label, value: displayValue })),
  );
  return { summary: nameRun(run), data: { ...(await describeRun(context, run)), values } };
}
