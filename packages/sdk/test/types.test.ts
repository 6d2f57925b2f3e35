import type { Contract, Endpoint, DeliveryPayload as ContractPayload, Route as ContractRoute } from '@runward/contract';
import test from 'ava';
import type { z } from 'zod';
import type {
  Call,
  Client,
  Delivery,
  Download,
  EventOf,
  FileInput,
  LaunchRun,
  List,
  Portal,
  RequestOptions,
  Run,
  RunsListQuery,
  RunTask,
  Template,
  Webhook,
} from '../src/index.ts';
import type { Route } from '../src/route.ts';
import type { Branch, EndpointMethod, WithKey } from './support/derived-types.ts';
import type { fileContract } from './support/files.ts';

// The compiler checks these types: `npm run types` fails if a line here does not hold. The test at the end only runs
// them.
type Equal<A, B> = [A, B] extends [B, A] ? (0 extends 1 & A ? false : true) : false;
function expect<T extends true>(...proof: T[]): T[] {
  return proof;
}

type Runs = Client['runs'];
type ResultOf<Method extends (...args: never[]) => unknown> = Awaited<ReturnType<Method>>;
type Item<L> = L extends AsyncIterable<infer I> ? I : never;

/** Makes all properties required, so that comparing two types also compares which properties they have. */
type Complete<T> = T extends Blob | RequestOptions
  ? T
  : T extends (...args: never[]) => unknown
    ? { parameters: Complete<Parameters<T>>; result: Complete<Awaited<ReturnType<T>>>; list: Item<ReturnType<T>> }
    : T extends object
      ? { [Name in keyof T]-?: Complete<T[Name]> }
      : T;

type Same<A, B> = Equal<A, B> extends true ? Equal<Complete<A>, Complete<B>> : false;

/** The method of a client at a path, like `runs.tasks.get`. */
type MethodAt<Node, Path extends string> = Path extends `${infer Word}.${infer Rest}`
  ? MethodAt<Word extends keyof Node ? Node[Word] : never, Rest>
  : Path extends keyof Node
    ? Node[Path]
    : never;

type Keyed = WithKey<Contract>;

/** The operations whose generated method differs from the schemas of the contract. */
type Differing = {
  [Group in Extract<keyof Keyed, string>]: {
    [Name in Extract<keyof Keyed[Group], string>]: Same<
      MethodAt<Client, `${Group}.${Name}`>,
      EndpointMethod<Extract<Keyed[Group][Name], Endpoint>>
    > extends true
      ? never
      : `${Group}.${Name}`;
  }[Extract<keyof Keyed[Group], string>];
}[Extract<keyof Keyed, string>];

/** Their methods also take words of the SDK; `synonyms.test.ts` has their types. */
type Renaming = 'templates.list' | 'webhooks.create' | 'webhooks.update';

// If this does not compile, the message names the operation. Run `npm run generate`.
const agreed = (operation: Exclude<Differing, Renaming>): never => operation;

const generated = () => {
  expect<Equal<Parameters<typeof agreed>[0], never>>();
  expect<Equal<keyof Client, keyof Branch<Keyed> | 'request'>>();
  expect<Same<Route, ContractRoute>>();
};

const models = () => {
  expect<Equal<ResultOf<Runs['get']>, Run>>();
  expect<Equal<Run['tasks'][number], RunTask>>();
  expect<Equal<Parameters<Runs['launch']>[0], LaunchRun>>();
  expect<Equal<RunsListQuery['limit'], number | undefined>>();
  expect<Equal<RunsListQuery['archived'], boolean | undefined>>();
  expect<Equal<ResultOf<Client['templates']['get']>, Template>>();
  expect<Equal<ResultOf<Client['webhooks']['get']>, Webhook>>();
  expect<Equal<Item<ReturnType<Client['webhooks']['deliveries']>>, Delivery>>();
  expect<Equal<ResultOf<Client['portals']['get']>, Portal>>();
  expect<Equal<EventOf<'run.completed'>['event'], 'run.completed'>>();
  expect<Equal<EventOf<'approval.granted'>['data']['comment'], string | null>>();
  expect<ContractPayload extends EventOf<ContractPayload['event']> ? true : false>();
};

/** Parameters of methods that may be omitted may also be undefined. */
type Options = RequestOptions | undefined;

const parameters = () => {
  expect<Equal<Parameters<Runs['get']>, [string, ({ include?: 'fieldValues' | undefined } | undefined)?, Options?]>>();
  expect<Equal<Parameters<Client['templates']['fields']['remove']>, [string, string, string, Options?]>>();
  expect<Equal<Parameters<Client['health']['live']>, [Options?]>>();
  expect<Equal<Parameters<Runs['update']>, [string, { title: string }, Options?]>>();
  expect<Equal<Parameters<Runs['counts']>, [({ templateId?: string | undefined } | undefined)?, Options?]>>();
  expect<
    Equal<
      Parameters<Client['templates']['publish']>,
      [string, ({ note?: string | null | undefined } | undefined)?, Options?]
    >
  >();
  expect<Equal<Parameters<Runs['tasks']['setStatus']>, [string, { status: 'PENDING' | 'COMPLETED' }, Options?]>>();
};

type KeysOf<T> = T extends object ? keyof T : never;

/**
 * Whether a method has the option `ifMatch`. All options are optional, so comparing their types would show no
 * difference.
 */
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

/** Whether a method has the option `maxStaleSeconds`. */
type AcceptsAge<Method extends (...args: never[]) => unknown> =
  'maxStaleSeconds' extends KeysOf<Parameters<Method>[number]> ? true : false;

const ages = () => {
  expect<AcceptsAge<Runs['list']>>();
  expect<AcceptsAge<Client['request']>>();
  expect<Equal<AcceptsAge<Runs['get']>, false>>();
  expect<Equal<AcceptsAge<Client['analytics']['summary']>, false>>();
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

/** A contract that the SDK does not know. Its methods can still be derived. */
interface Future {
  readonly 'a.b.c': {
    readonly find: {
      method: 'POST';
      path: '/a/:one/b/:two';
      access: 'public';
      summary: '';
      query: z.ZodObject<{ q: z.ZodString }>;
      body: z.ZodString;
      response: z.ZodNumber;
    };
  };
  readonly a: { readonly end: { method: 'POST'; path: '/a'; access: 'public'; summary: '' } };
}

const nesting = () => {
  type Find = Branch<Future>['a']['b']['c']['find'];
  expect<Equal<Parameters<Find>, [string, string, string, { q: string }, Options?]>>();
  expect<Equal<ReturnType<Find>, Call<number>>>();
  expect<Equal<Parameters<Branch<Future>['a']['end']>, [Options?]>>();
  expect<Equal<keyof Client['templates'] & ('runs' | 'tasks' | 'get'), 'runs' | 'tasks' | 'get'>>();
  expect<Equal<'templates.tasks' extends keyof Client ? true : false, false>>();
};

const transfers = () => {
  type Files = Branch<typeof fileContract>['files'];
  expect<Equal<Parameters<Files['download']>, [string, Options?]>>();
  expect<Equal<ReturnType<Files['download']>, Call<Download>>>();
  expect<Equal<Parameters<Files['render']>, [string, { page: number }, Options?]>>();
  expect<Equal<ReturnType<Files['render']>, Call<Download>>>();
  expect<Equal<ReturnType<Files['count']>, Call<number>>>();
  type Body = { title: string; tag?: string[] | undefined; file: FileInput; preview: FileInput };
  expect<Equal<Parameters<Files['upload']>, [string, Body, Options?]>>();
  expect<Equal<Parameters<Files['replace']>, [string, { file: FileInput }, Options?]>>();
  expect<Equal<ReturnType<Files['upload']>, Call<{ id: string }>>>();
};

test('the types of parameters, results and nesting hold', (t) => {
  t.notThrows(() =>
    [generated, models, parameters, versions, ages, results, nesting, transfers].forEach((check) => check()),
  );
});
