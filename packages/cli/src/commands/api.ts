import type { Method } from '@runward/contract';
import type { Client, QueryValues } from '@runward/sdk';
import type { Command } from 'commander';
import type { Action } from '../cli.ts';
import { messageOf, usage } from '../errors.ts';
import type { Io } from '../io.ts';
import { collect, examples, keyValues } from '../options.ts';
import { partOf } from '../output/cells.ts';
import { printList, type Output } from '../output/print.ts';
import { toJson } from '../output/printable.ts';
import { readText } from '../terminal/input.ts';

interface ApiOptions {
  readonly field?: readonly string[];
  readonly typedField?: readonly string[];
  readonly input?: string;
  readonly paginate?: boolean;
}

const methods: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** `runward api`: sends any request with the API key of the profile. */
export function api(program: Command, action: Action): void {
  program
    .command('api')
    .description('Send any request and print the response as JSON')
    .argument('<method>', methods.join(', '))
    .argument('<path>', 'path with its query, like /runs')
    .option(
      '-f, --field <key=value>',
      'add a string to the query (GET, DELETE) or to the JSON body (repeatable)',
      collect,
    )
    .option('-F, --typed-field <key=json>', 'add a JSON value, like enabled=false (repeatable)', collect)
    .option('--input <file>', 'file with the JSON body; - is stdin')
    .option('--paginate', 'print the records of all pages of a list')
    .addHelpText(
      'after',
      examples(
        'runward api GET /users',
        "runward api GET /runs -f status=OVERDUE --paginate -o jsonl | jq -r '.title'",
        'runward api POST /runs -f templateId=ID -f title="By hand"',
        'runward api PATCH /webhooks/ID -F enabled=false',
      ),
    )
    .action(
      action(async (cli, given: string, path: string, options: ApiOptions) => {
        const method = methods.find((known) => known === given.toUpperCase());
        if (!method) throw usage(`Unknown method ${given}. Choose from ${methods.join(', ')}.`);
        if (/^[a-z]+:\/\//i.test(path))
          throw usage('Use a path without a server; the profile or --base-url selects the server.');
        const { query, body } = await readRequest(cli.io, method, options);
        const client = await cli.connect();
        const target = path.startsWith('/') ? path : `/${path}`;
        if (options.paginate) {
          if (method !== 'GET') throw usage('--paginate needs GET.');
          const format = cli.output.chosen ? cli.output.format : 'json';
          return printList({ ...cli.output, format }, pages(client, target, query), { columns: ['id'], fields: [] });
        }
        print(cli.output, await client.request(method, target, { query, ...(body !== undefined && { body }) }));
      }),
    );
}

async function readRequest(io: Io, method: Method, { field, typedField, input }: ApiOptions) {
  const fields = [
    ...keyValues('-f', field),
    ...keyValues('-F', typedField).map(([key, text]): [string, unknown] => [key, parse(text, `-F ${key}`)]),
  ];
  const named = Object.fromEntries(fields);
  const inQuery = method === 'GET' || method === 'DELETE';
  if (input === undefined) {
    const body = inQuery || fields.length === 0 ? undefined : named;
    return { query: inQuery ? (named as QueryValues) : {}, body };
  }
  if (method === 'GET') throw usage('A GET request has no body; use -f for its query.');
  if (fields.length > 0) throw usage('Use either --input or -f and -F for the body.');
  return { query: {}, body: parse(await readText(io, input, 'the body'), input) };
}

function parse(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw usage(`${what} is not valid JSON: ${messageOf(error)}.`);
  }
}

async function* pages(client: Client, path: string, query: QueryValues): AsyncGenerator {
  let cursor: string | undefined;
  do {
    const page = await client.request('GET', path, { query: { ...query, ...(cursor !== undefined && { cursor }) } });
    const data = partOf(page, 'data');
    if (!Array.isArray(data)) throw usage('The response is not a list; omit --paginate.');
    yield* data;
    const next = partOf(page, 'nextCursor');
    cursor = typeof next === 'string' ? next : undefined;
  } while (cursor !== undefined);
}

function print(output: Output, response: unknown): void {
  const { format, fields } = output;
  if (response === undefined) return;
  if (typeof response === 'string') return output.write(response);
  const shown = fields === null ? response : Object.fromEntries(fields.map((path) => [path, partOf(response, path)]));
  output.write(toJson(shown, format === 'jsonl' ? 0 : 2));
}
