/** The types of a client, derived from the schemas of a contract. The generated types must equal them. */
import type { Endpoint, FileInput, Multipart, Binary, Stream } from '@runward/contract';
import type { z } from 'zod';
import type { Call, Download, List, ListPage, RequestOptions, VersionedWriteOptions } from '../../src/index.ts';

/** The endpoints that need no session, and the groups that have such endpoints. */
export type WithKey<Groups> = {
  readonly [Name in keyof Groups as keyof KeyMethods<Groups[Name]> extends never ? never : Name]: KeyMethods<
    Groups[Name]
  >;
};

type KeyMethods<Group> = {
  readonly [
    Name in keyof Group as Group[Name] extends { readonly access: 'session' | 'administrator' } ? never : Name
  ]: Group[Name];
};

/**
 * Groups nested by the words of their names. `runs` has its own methods and, under `tasks`, the methods of
 * `runs.tasks`.
 */
export type Branch<Groups> = {
  readonly [Name in FirstWord<keyof Groups & string>]: (Name extends keyof Groups ? Methods<Groups[Name]> : unknown) &
    Branch<Within<Groups, Name>>;
};

/** The methods of a group. */
export type Methods<Group> = {
  readonly [Name in keyof Group]: Group[Name] extends Endpoint ? EndpointMethod<Group[Name]> : never;
};

/** The method of an endpoint: path parameters in the order of the path, body, query, options. */
export type EndpointMethod<E extends Endpoint> = (
  ...args: [...PathArguments<E['path']>, ...BodyArgument<E>, ...QueryArgument<E>, options?: OptionsOf<E> | undefined]
) => Result<E> extends ListPage ? List<Result<E>> : Call<Result<E>>;

/** The result of a call: a download for a streamed response, parsed JSON, `undefined` for a 204. */
type Result<E extends Endpoint> = E['response'] extends Stream
  ? Download
  : E['response'] extends z.ZodType
    ? z.output<E['response']>
    : undefined;

/** A creation has no earlier version. */
type OptionsOf<E extends Endpoint> = E extends { readonly versioned: true; readonly status?: never }
  ? E extends { readonly method: 'GET' }
    ? RequestOptions
    : VersionedWriteOptions
  : RequestOptions;

type FirstWord<Name extends string> = Name extends `${infer First}.${string}` ? First : Name;

type Within<Groups, Name extends string> = {
  [Key in keyof Groups as Key extends `${Name}.${infer Rest}` ? Rest : never]: Groups[Key];
};

type PathArguments<Path extends string> = Path extends `${string}:${string}/${infer Rest}`
  ? [pathParameter: string, ...PathArguments<`/${Rest}`>]
  : Path extends `${string}:${string}`
    ? [pathParameter: string]
    : [];

type BodyArgument<E extends Endpoint> = E extends { readonly body: object }
  ? undefined extends Sent<E['body']>
    ? [body?: Sent<E['body']>]
    : [body: Sent<E['body']>]
  : [];

type Sent<Body> =
  Body extends Multipart<infer Fields, infer Files>
    ? TextFields<z.input<Fields>> & Record<keyof Files, FileInput>
    : Body extends Binary
      ? FileInput
      : Body extends z.ZodType
        ? z.input<Body>
        : never;

/** Without this type, an object without properties would be `Record<string, never>`, which forbids the files too. */
type TextFields<Fields> = string extends keyof Fields ? unknown : Fields;

type QueryArgument<E extends Endpoint> = E extends { readonly query: infer Schema extends z.ZodType }
  ? Partial<Asked<Schema>> extends Asked<Schema>
    ? [query?: Asked<Schema> | undefined]
    : [query: Asked<Schema>]
  : [];

/**
 * A query as programs write it: parsed values, or text if there is no other form. Properties with a default are
 * optional.
 */
type Asked<Schema extends z.ZodType> = {
  [Name in keyof z.input<Schema>]: z.input<Schema>[Name] extends string | undefined
    ? z.input<Schema>[Name]
    :
        | (Name extends keyof z.output<Schema> ? z.output<Schema>[Name] : never)
        | Extract<z.input<Schema>[Name], undefined>;
};
