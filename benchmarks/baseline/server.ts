/**
 * The baseline: the minimum cost of the same requests with `node:http` and `pg`. Each request is one statement, without
 * authentication, validation, limits, locks, rules or reshaping of rows. Arguments: a Seed as JSON. Environment:
 * DATABASE_URL, PORT.
 */
import { randomUUIDv7 as newId } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { contract } from '@runward/contract';
import { Pool } from 'pg';
import type { Seed } from '../seed/seed.ts';
import * as statements from './statements.ts';

const seed = JSON.parse(process.argv[2] ?? '') as Seed;
const pool = new Pool({ connectionString: process.env['DATABASE_URL'], max: 10 });
const { organizationId, userId, apiKeyId, webhookId, templateId, versionId } = seed;
const taskIds = seed.document.tasks.map(({ id }) => id);

interface Input {
  readonly templateId: string;
  readonly runTaskId: string;
  readonly executionEntryId: string;
  readonly runTaskFieldId: string;
  readonly value: unknown;
}

const { launch, list } = contract.runs;
const { open, submit, complete } = contract.execution;

/** Writes by path; each takes a JSON body. */
const writes: Record<string, (response: ServerResponse, input: Input) => Promise<void>> = {
  [launch.path]: async (response) => send(response, launch.status, await launchRun()),

  [open.path]: async (response, { runTaskId }) => {
    const values = [newId(), runTaskId, newId(), new Date().toISOString(), userId, apiKeyId, organizationId];
    send(response, open.status, await one('open', statements.open, values));
  },

  [submit.path]: async (response, { executionEntryId, runTaskFieldId, value }) => {
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

  [complete.path]: async (response, { executionEntryId }) => {
    const now = new Date().toISOString();
    const values = [executionEntryId, newId(), newId(), newId(), now, userId, apiKeyId, organizationId, webhookId];
    await one('complete', statements.complete, values);
    response.writeHead(complete.status).end();
  },
};

async function launchRun() {
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

async function read(response: ServerResponse, url: string): Promise<void> {
  const [path = '', query] = url.split('?');
  const isList = path === list.path;
  const limit = Number(new URLSearchParams(query).get('limit'));
  const row = isList
    ? await one(`list ${limit}`, statements.list(limit + 1), [organizationId])
    : await one('get', statements.get, [organizationId, path.slice(list.path.length + 1)]);
  send(response, 200, (row as { response: unknown }).response);
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
    if (method === 'GET') await read(response, url);
    else await writes[url]?.(response, await readJson(request));
  } catch (error) {
    console.error(error);
    response.writeHead(500).end();
  }
}

const server = createServer((request, response) => void respond(request, response));
server.keepAliveTimeout = 65_000;
server.listen(Number(process.env['PORT']), '127.0.0.1');
process.on('SIGTERM', () => process.exit(0));
