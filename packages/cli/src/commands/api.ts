import type { Method } from '@runward/contract';
import type { Client, QueryValues } from '@runward/sdk';
import type { Command } from 'commander';
import { action } from '../cli.ts';
import { usage } from '../errors.ts';
import { collect, examples, keyValues } from '../options.ts';
import { partOf } from '../output/cells.ts';
import { printList, write, type Output } from '../output/print.ts';
import { toJson } from '../output/printable.ts';
import { readText } from '../terminal/input.ts';

interface ApiOptions {
  readonly field?: readonly string[];
  readonly typedField?: readonly string[];
  readonly input?: string;
  readonly paginate?: boolean;
}

const methods: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** `runward api`: any request with the key of the profile. */
export function api(program: Command): void {
  program
    .command('api')
    .description('Send any request and print the answer as JSON')
    .argument('<method>', methods.join(', '))
    .argument('<path>', 'path with its query, like /runs')
    .option(
      '-f, --field <key=value>',
      'a string: of the query for GET and DELETE, of the JSON body else (repeatable)',
      collect,
    )
    .option('-F, --typed-field <key=json>', 'the same with a JSON value, like enabled=false (repeatable)', collect)
    .option('--input <file>', 'file with the JSON body; - is the standard input')
    .option('--paginate', 'follow the cursor of a list and print the records of all pages')
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
        if (!method) throw usage(`There is no method ${given}. Choose from ${methods.join(', ')}.`);
        if (/^[a-z]+:\/\//i.test(path)) throw usage('Give the path only; the server is that of the profile.');
        const { query, body } = await readRequest(method, options);
        const client = await cli.connect();
        const target = path.startsWith('/') ? path : `/${path}`;
        if (options.paginate) {
          if (method !== 'GET') throw usage('--paginate goes with GET only.');
          const format = cli.output.chosen ? cli.output.format : 'json';
          return printList({ ...cli.output, format }, pages(client, target, query), { columns: ['id'], fields: [] });
        }
        print(cli.output, await client.request(method, target, { query, ...(body !== undefined && { body }) }));
      }),
    );
}

async function readRequest(method: Method, { field, typedField, input }: ApiOptions) {
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
  if (method === 'GET') throw usage('A GET takes no body; use -f for its query.');
  if (fields.length > 0) throw usage('Give the body with --input or with -f and -F, not both.');
  return { query: {}, body: parse(await readText(input, 'the body'), input) };
}

function parse(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw usage(`${what} is no JSON: ${error instanceof Error ? error.message : String(error)}.`);
  }
}

async function* pages(client: Client, path: string, query: QueryValues): AsyncGenerator {
  let cursor: string | undefined;
  do {
    const page = await client.request('GET', path, { query: { ...query, ...(cursor !== undefined && { cursor }) } });
    const data = partOf(page, 'data');
    if (!Array.isArray(data)) throw usage('The answer is no list; leave --paginate out.');
    yield* data;
    const next = partOf(page, 'nextCursor');
    cursor = typeof next === 'string' ? next : undefined;
  } while (cursor !== undefined);
}

function print({ format, fields }: Output, answer: unknown): void {
  if (answer === undefined) return;
  if (typeof answer === 'string') return write(answer);
  const shown = fields === null ? answer : Object.fromEntries(fields.map((path) => [path, partOf(answer, path)]));
  write(toJson(shown, format === 'jsonl' ? 0 : 2));
}
