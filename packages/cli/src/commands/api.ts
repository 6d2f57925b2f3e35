import { effectOf, isStream, type Method } from '@runward/contract';
import type { Client, Download, QueryValues } from '@runward/sdk';
import type { Command } from 'commander';
import type { Action } from '../action.ts';
import { findEndpoint, type FoundEndpoint } from '../api/find-endpoint.ts';
import { readRequest, toFormData, type ApiRequest, type RequestOptions } from '../api/read-request.ts';
import type { Cli } from '../cli.ts';
import { notAllowed, rejected, usage } from '../errors.ts';
import { collect, examples } from '../options.ts';
import { partOf } from '../output/cells.ts';
import { saveText, writeDownload } from '../output/download.ts';
import { printList, type Output } from '../output/print.ts';
import { toJson } from '../output/printable.ts';

interface ApiOptions extends RequestOptions {
  readonly paginate?: boolean;
  readonly outputFile?: string;
}

const methods: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** `runward api`: sends any request with the API key of the profile. */
export function api(program: Command, action: Action): void {
  program
    .command('api')
    .argument('<method>', methods.join(', '))
    .argument('<path>', 'path with its query, like /runs')
    .option('-f, --field <key=value>', 'add a string to the query (GET, DELETE) or to the body (repeatable)', collect)
    .option('-F, --typed-field <key=json>', 'add a JSON value, like enabled=false (repeatable)', collect)
    .option('--file <name=@path>', 'add a file to a multipart body; @- is stdin (repeatable)', collect)
    .option('--input <file>', 'file with the JSON body; - is stdin')
    .option('--paginate', 'print the records of all pages of a list')
    .option('--output-file <file>', 'write the response to this file instead of stdout')
    .addHelpText(
      'after',
      examples(
        'runward api GET /users',
        "runward api GET /runs -f status=OVERDUE --paginate -o jsonl | jq -r '.title'",
        'runward api POST /runs -f templateId=ID -f title="By hand"',
        'runward api PATCH /webhooks/ID -F enabled=false',
        'runward api POST /templates/ID/background-image --file file=@logo.png',
      ),
    )
    .action(
      action(async (cli, given: string, path: string, options: ApiOptions) => {
        const method = methods.find((known) => known === given.toUpperCase());
        if (!method) throw usage(`Unknown method ${given}. Choose from ${methods.join(', ')}.`);
        if (/^[a-z]+:\/\//i.test(path)) {
          throw usage('Use a path without a server; the profile or --base-url selects the server.');
        }
        const { chosen, format } = cli.output;
        if (chosen && !options.paginate && (format === 'table' || format === 'csv')) {
          throw usage(`api prints JSON. -o ${format} needs --paginate, which prints the records of a list.`);
        }
        if (options.paginate && method !== 'GET') throw usage('--paginate needs GET.');
        if (options.paginate && options.outputFile !== undefined) {
          throw usage(
            'Use either --paginate or --output-file; the records of all pages can be redirected from stdout.',
          );
        }
        const target = path.startsWith('/') ? path : `/${path}`;
        const found = findEndpoint(method, target.replace(/\?.*$/s, ''));
        if (found) checkAccess(found);
        const request = await readRequest(cli.io, method, found?.endpoint ?? null, options);
        const client = await cli.connect();
        if (options.paginate) return printPages(cli, pages(client, target, request.query));
        await print(cli, await send(client, method, target, found, request), options.outputFile);
      }),
    );
}

function checkAccess({ endpoint: { method, path, access } }: FoundEndpoint): void {
  if (access !== 'session' && access !== 'administrator') return;
  const who = access === 'administrator' ? 'an owner or admin who is signed in' : 'a user who is signed in';
  throw notAllowed(`${method} ${path} is for ${who}; an API key cannot call it.`);
}

async function send(
  client: Client,
  method: Method,
  path: string,
  found: FoundEndpoint | null,
  { query, body, isMultipart }: ApiRequest,
): Promise<unknown> {
  // The SDK method knows from the contract whether a response is streamed, and whether a POST only reads.
  if (found && (isStream(found.endpoint.response) || effectOf(found.endpoint) !== effectOf({ method }))) {
    return callMethod(client, found, { ...Object.fromEntries(searchParams(path)), ...query }, body);
  }
  const sent = isMultipart ? toFormData(body) : body;
  return client.request(method, path, { query, body: sent });
}

/** Calls an endpoint by its method of the SDK. */
function callMethod(
  client: Client,
  { operation, endpoint, params }: FoundEndpoint,
  query: QueryValues,
  body: unknown,
): unknown {
  const [unknown] = endpoint.query ? [] : Object.keys(query);
  if (unknown !== undefined) throw rejected(`${unknown}: unknown parameter; remove it`);
  const args = [...params, ...(endpoint.body ? [body] : []), ...(endpoint.query ? [query] : [])];
  const method = operation.split('.').reduce<unknown>((node, name) => partOf(node, name), client);
  return (method as (...args: unknown[]) => unknown)(...args);
}

function searchParams(path: string): URLSearchParams {
  return new URL(path, 'http://localhost').searchParams;
}

async function printPages({ output }: Cli, records: AsyncIterable<unknown>): Promise<void> {
  const format = output.chosen ? output.format : 'json';
  await printList({ ...output, format }, records, { columns: ['id'], fields: [] });
}

async function* pages(client: Client, path: string, query: QueryValues): AsyncGenerator {
  let cursor: string | undefined;
  do {
    const page = await client.request('GET', path, { query: { ...query, cursor } });
    const data = partOf(page, 'data');
    if (!Array.isArray(data)) throw usage('The response is not a list; omit --paginate.');
    yield* data;
    const next = partOf(page, 'nextCursor');
    cursor = typeof next === 'string' ? next : undefined;
  } while (cursor !== undefined);
}

async function print(cli: Cli, response: unknown, outputFile: string | undefined): Promise<void> {
  if (isDownload(response)) return writeDownload(cli, response, outputFile);
  if (response === undefined) return;
  const text = typeof response === 'string' ? response : format(cli.output, response);
  if (outputFile === undefined) cli.output.write(text);
  else await saveText(cli, text, outputFile);
}

function format({ format, fields }: Output, response: unknown): string {
  const shown = fields === null ? response : Object.fromEntries(fields.map((path) => [path, partOf(response, path)]));
  return toJson(shown, format === 'jsonl' ? 0 : 2);
}

function isDownload(response: unknown): response is Download {
  return partOf(response, 'body') instanceof ReadableStream;
}
