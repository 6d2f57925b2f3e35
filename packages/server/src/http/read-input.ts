import { isBinary, isMultipart, parametersOf, problemsOf, withInput, type Endpoint } from '@runward/contract';
import type { Context } from 'koa';
import type { UploadFolder } from '../adapters/upload-folder.ts';
import { badRequest } from '../api-error.ts';
import { abandonBody } from './body/abandon-body.ts';
import { incomingContent } from './body/incoming-content.ts';
import { readMultipart } from './body/multipart.ts';
import { bodyReceiver, jsonIn } from './body/read-body.ts';
import { parse, screenText } from './parse.ts';
import { ensureUtf8 } from './percent-encoding.ts';
import { readIfMatch } from './preconditions.ts';

/** The input of a request, parsed. */
export interface Input extends AsyncDisposable {
  readonly params: Readonly<Record<string, string>>;
  readonly query: unknown;
  readonly body: unknown;
  /** The version in the header `If-Match`; null for any. */
  readonly ifMatch: string | null;
  /** The body as it is compared for an idempotency key, with files by their content. */
  readonly fingerprint: unknown;
}

const maximumParameters = 50;
const nothing = async () => {};

/**
 * Makes a function that reads path, query, `If-Match` and body of a request as the contract describes them. It calls
 * `begin` and waits before it parses the body. It throws a 400 or 413. Disposing of the input removes uploaded files.
 */
export function inputReader(endpoint: Endpoint, uploads: UploadFolder) {
  const receiveBody = bodyReceiver(endpoint);
  const parameters = parametersOf(endpoint);
  return async (
    ctx: Context,
    given: Readonly<Record<string, string>>,
    begin: (query: unknown) => Promise<void>,
  ): Promise<Input> => {
    ensureUtf8(ctx.path, ctx.querystring);
    const params = readParams(parameters, given);
    const query = readQuery(ctx, endpoint);
    const ifMatch = readIfMatch(ctx.req.headers['if-match'], endpoint);
    const { body } = endpoint;
    if (isMultipart(body)) {
      const { content, fingerprint, dispose } = await readMultipart(ctx, body, uploads);
      await begin(query).catch(async (error: unknown) => {
        await dispose();
        throw error;
      });
      return { params, query, ifMatch, body: content, fingerprint, [Symbol.asyncDispose]: dispose };
    }
    if (isBinary(body)) {
      await begin(query);
      return {
        params,
        query,
        ifMatch,
        body: incomingContent(ctx),
        fingerprint: null,
        [Symbol.asyncDispose]: async () => {
          if (!ctx.req.complete) abandonBody(ctx);
        },
      };
    }
    const bytes = await receiveBody(ctx);
    await begin(query);
    const sent = bytes && jsonIn(bytes);
    if (sent !== undefined && !body && !isEmptyObject(sent)) {
      throw badRequest(['body: this endpoint accepts no request body']);
    }
    const parsed = body && parse(body, sent, 'body');
    return { params, query, ifMatch, body: parsed, fingerprint: parsed, [Symbol.asyncDispose]: nothing };
  };
}

function readParams(
  parameters: ReturnType<typeof parametersOf>,
  given: Readonly<Record<string, string>>,
): Record<string, string> {
  const params: Record<string, string> = {};
  const problems: string[] = [];
  for (const [name, schema] of parameters) {
    const rejected = screenText(given[name] ?? '', name);
    const result = schema.safeParse(given[name], withInput);
    if (rejected) problems.push(`${name}: ${rejected.problem}`);
    else if (result.success) params[name] = result.data;
    else problems.push(...problemsOf(result.error, name));
  }
  if (problems.length > 0) throw badRequest(problems);
  return params;
}

function readQuery({ query }: Context, endpoint: Endpoint): unknown {
  const names = Object.keys(query);
  if (names.length > maximumParameters) {
    throw badRequest([`query: must have at most ${maximumParameters} parameters`]);
  }
  if (!endpoint.query && names.length > 0)
    throw badRequest(names.map((name) => `${name}: unknown parameter; remove it`));
  // The query has no prototype; schemas expect plain objects.
  return endpoint.query && parse(endpoint.query, { ...query }, 'query');
}

function isEmptyObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0;
}
