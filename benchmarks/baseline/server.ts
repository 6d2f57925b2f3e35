/**
 * The baseline: the minimum cost of the same requests with `node:http` and `pg`. Each request is one statement, without
 * authentication, validation, limits, locks, rules or reshaping of rows. Argument: a file with a Baseline as JSON.
 * Environment: DATABASE_URL, PORT.
 */
import { hash, randomUUIDv7 as newId } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { contract, maximumPageSize, statusOf } from '@runward/contract';
import { Pool } from 'pg';
import { baselineReady, type Baseline, type Caller } from './callers.ts';
import { filtersOf } from './filters.ts';
import * as statements from './statements.ts';

const { callers, taskIds } = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Baseline;
const pool = new Pool({ connectionString: process.env['DATABASE_URL'], max: 10 });

interface Input {
  readonly templateId: string;
  readonly runTaskId: string;
  readonly executionEntryId: string;
  readonly runTaskFieldId: string;
  readonly value: unknown;
}

const { launch, list } = contract.runs;
const { list: feed } = contract.events;
const { open, submit, complete } = contract.execution;

/** Writes by path; each takes a JSON body. */
const writes: Record<string, (response: ServerResponse, caller: Caller, input: Input) => Promise<void>> = {
  [launch.path]: async (response, caller) => send(response, launch.status, await launchRun(caller)),

  [open.path]: async (response, { organizationId, userId, apiKeyId }, { runTaskId }) => {
    const values = [newId(), runTaskId, newId(), new Date().toISOString(), userId, apiKeyId, organizationId];
    send(response, open.status, await one('open', statements.open, values));
  },

  [submit.path]: async (response, caller, { executionEntryId, runTaskFieldId, value }) => {
    const { organizationId, userId, apiKeyId } = caller;
    const json = JSON.stringify(value);
    const values = [
      newId(),
      executionEntryId,
      runTaskFieldId,
      json,
      newId(),
      new Date().toISOString(),
      userId,
      apiKeyId,
      organizationId,
    ];
    await one('submit', statements.submit, values);
    send(response, submit.status, { autoFilledFields: [] });
  },

  [complete.path]: async (response, { organizationId, userId, apiKeyId, webhookId }, { executionEntryId }) => {
    const now = new Date().toISOString();
    const values = [executionEntryId, newId(), newId(), newId(), now, userId, apiKeyId, organizationId, webhookId];
    await one('complete', statements.complete, values);
    response.writeHead(statusOf(complete)).end();
  },
};

async function launchRun({ organizationId, userId, apiKeyId, webhookId, templateId, versionId }: Caller) {
  const at = new Date().toISOString();
  const runId = newId();
  const publicId = `RUN-${runId.slice(-12)}`;
  const runTaskIds = taskIds.map(() => newId());
  const fact = {
    runId,
    publicId,
    templateId,
    templateVersionId: versionId,
    title: 'Benchmark',
    ownerUserId: userId,
    scheduledDateLocal: at.slice(0, 10),
    variables: {},
    tasks: runTaskIds.map((runTaskId, index) => ({
      runTaskId,
      taskId: taskIds[index],
      dueAt: null,
      dueAtHasTime: false,
      deadlineAt: null,
      assigneeId: null,
      assigneeGroupId: null,
    })),
  };
  const deliveryId = newId();
  const body = {
    event: 'run.started',
    deliveryId,
    timestamp: at,
    orgId: organizationId,
    data: { runId, templateId, sequence: 1 },
  };
  return one('launch', statements.launch, [
    runId,
    organizationId,
    publicId,
    templateId,
    versionId,
    userId,
    at,
    runTaskIds,
    taskIds,
    newId(),
    apiKeyId,
    JSON.stringify(fact),
    deliveryId,
    webhookId,
    JSON.stringify(body),
  ]);
}

async function read(response: ServerResponse, { organizationId }: Caller, url: string): Promise<void> {
  const [path = '', query] = url.split('?');
  const row = await select(organizationId, path, new URLSearchParams(query));
  send(response, 200, (row as { response: unknown }).response);
}

async function select(organizationId: string, path: string, query: URLSearchParams): Promise<unknown> {
  const limit = Number(query.get('limit') ?? maximumPageSize);
  if (path === feed.path) return one(`feed ${limit}`, statements.feed(limit), [organizationId]);
  if (path !== list.path) return one('get', statements.get, [organizationId, path.slice(list.path.length + 1)]);
  const { where, order, values } = filtersOf(query);
  const text = where === '' ? statements.list(limit + 1, order) : statements.filteredList(limit + 1, where, order);
  // PostgreSQL reads only the first 63 bytes of a name.
  return one(hash('sha1', text), text, [organizationId, ...values]);
}

/** The first row of a prepared statement. */
async function one(name: string, text: string, values: unknown[]): Promise<unknown> {
  const { rows } = await pool.query<Record<string, unknown>>({ name, text, values });
  return rows[0];
}

function send(response: ServerResponse, status: number, value: unknown): void {
  const body = JSON.stringify(value);
  response
    .writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
    .end(body);
}

async function readJson(request: IncomingMessage): Promise<Input> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return JSON.parse(text) as Input;
}

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method, url = '' } = request;
  try {
    if (url === baselineReady) return void response.writeHead(204).end();
    const caller = callers[request.headers.authorization ?? ''];
    if (!caller) throw new Error('The baseline does not know the key.');
    if (method === 'GET') await read(response, caller, url);
    else await writes[url]?.(response, caller, await readJson(request));
  } catch (error) {
    console.error(error);
    response.writeHead(500).end();
  }
}

const server = createServer((request, response) => void respond(request, response));
server.keepAliveTimeout = 65_000;
server.listen(Number(process.env['PORT']), '127.0.0.1');
process.on('SIGTERM', () => process.exit(0));
