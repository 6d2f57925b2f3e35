import test from 'ava';
import type { z } from 'zod';
import type { Branch } from '../src/types.ts';
import type { Call, Client, Download, FileInput, List, RequestOptions } from '../src/index.ts';
import type { fileContract } from './support/files.ts';

// Checked by the compiler: `npm run types` fails if a line here is not true. The test at the end only runs them.
type Equal<A, B> = [A, B] extends [B, A] ? (0 extends 1 & A ? false : true) : false;
function expect<T extends true>(...proof: T[]): T[] {
  return proof;
}

type Runs = Client['runs'];
type Run = Awaited<ReturnType<Runs['get']>>;
type Item<L> = L extends AsyncIterable<infer I> ? I : never;

const parameters = () => {
  expect<Equal<Parameters<Runs['get']>, [string, { include?: 'fieldValues' | undefined }?, RequestOptions?]>>();
  expect<Equal<Parameters<Client['templates']['fields']['remove']>, [string, string, string, RequestOptions?]>>();
  expect<Equal<Parameters<Client['health']['live']>, [RequestOptions?]>>();
  expect<Equal<Parameters<Runs['update']>, [string, { title: string }, RequestOptions?]>>();
  expect<Equal<Parameters<Runs['counts']>, [{ templateId?: string | undefined }?, RequestOptions?]>>();
  expect<
    Equal<
      Parameters<Client['templates']['publish']>,
      [string, ({ note?: string | undefined } | undefined)?, RequestOptions?]
    >
  >();
  expect<
    Equal<Parameters<Runs['tasks']['setStatus']>, [string, { status: 'PENDING' | 'COMPLETED' }, RequestOptions?]>
  >();
};

type KeysOf<T> = T extends object ? keyof T : never;

/** Whether a method has the option `ifMatch`. All options are optional, so comparing their types would not tell them apart. */
type ChecksVersion<Method extends (...args: never[]) => unknown> =
  'ifMatch' extends KeysOf<Parameters<Method>[number]> ? true : false;

const versions = () => {
  expect<ChecksVersion<Runs['update']>>();
  expect<ChecksVersion<Runs['tasks']['setStatus']>>();
  expect<ChecksVersion<Client['templates']['remove']>>();
  expect<ChecksVersion<Client['request']>>();
  expect<Equal<ChecksVersion<Runs['get']>, false>>();
  expect<Equal<ChecksVersion<Runs['launch']>, false>>();
  expect<Equal<ChecksVersion<Client['templates']['create']>, false>>();
  expect<Equal<ChecksVersion<Client['webhooks']['update']>, false>>();
};

const results = () => {
  expect<Equal<Run['status'], 'RUNNING' | 'OVERDUE' | 'COMPLETED' | 'CANCELLED'>>();
  expect<Equal<ReturnType<Runs['get']>, Call<Run>>>();
  expect<Equal<Awaited<ReturnType<Runs['tasks']['setStatus']>>, undefined>>();
  expect<Equal<Item<ReturnType<Runs['list']>>['scheduledDateLocal'], string>>();
  expect<Equal<Awaited<ReturnType<Runs['list']>>['nextCursor'], string | null>>();
  expect<Equal<Awaited<ReturnType<Client['templates']['publishedFields']>>['templateVersionId'], string>>();
  expect<Equal<Awaited<ReturnType<Client['templates']['tasks']['list']>>['total'], number>>();
  expect<Equal<ReturnType<Runs['list']>, List<Awaited<ReturnType<Runs['list']>>>>>();
  // Not a list: it has data, but no cursor.
  expect<Equal<Item<ReturnType<Client['templates']['tasks']['bulkUpdate']>>, never>>();
  expect<Equal<Awaited<ReturnType<Client['request']>>, unknown>>();
};

/** A contract that is unknown to the SDK; its methods are derived all the same. */
interface Future {
  readonly 'a.b.c': {
    readonly find: {
      method: 'POST';
      path: '/a/:one/b/:two';
      access: 'public';
      summary: '';
      status: 200;
      query: z.ZodObject<{ q: z.ZodString }>;
      body: z.ZodString;
      response: z.ZodNumber;
    };
  };
  readonly a: { readonly end: { method: 'POST'; path: '/a'; access: 'public'; summary: ''; status: 204 } };
}

const nesting = () => {
  type Find = Branch<Future>['a']['b']['c']['find'];
  expect<Equal<Parameters<Find>, [string, string, string, { q: string }, RequestOptions?]>>();
  expect<Equal<ReturnType<Find>, Call<number>>>();
  expect<Equal<Parameters<Branch<Future>['a']['end']>, [RequestOptions?]>>();
  expect<Equal<keyof Client['templates'] & ('runs' | 'tasks' | 'get'), 'runs' | 'tasks' | 'get'>>();
  expect<Equal<'templates.tasks' extends keyof Client ? true : false, false>>();
};

const transfers = () => {
  type Files = Branch<typeof fileContract>['files'];
  expect<Equal<Parameters<Files['download']>, [string, RequestOptions?]>>();
  expect<Equal<ReturnType<Files['download']>, Call<Download>>>();
  expect<Equal<Parameters<Files['render']>, [string, { page: number }, RequestOptions?]>>();
  expect<Equal<ReturnType<Files['render']>, Call<Download>>>();
  expect<Equal<ReturnType<Files['count']>, Call<number>>>();
  type Body = { title: string; tag?: string[] | undefined; file: FileInput; preview: FileInput };
  expect<Equal<Parameters<Files['upload']>, [string, Body, RequestOptions?]>>();
  expect<Equal<Parameters<Files['replace']>, [string, { file: FileInput }, RequestOptions?]>>();
  expect<Equal<ReturnType<Files['upload']>, Call<{ id: string }>>>();
};

test('the types of parameters, results and nesting hold', (t) => {
  t.notThrows(() => [parameters, versions, results, nesting, transfers].forEach((check) => check()));
});
