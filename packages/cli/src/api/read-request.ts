import { isMultipart, type Endpoint, type Method, type Multipart } from '@runward/contract';
import type { QueryValues } from '@runward/sdk';
import { usage } from '../errors.ts';
import type { Io } from '../io.ts';
import { keyValues } from '../options.ts';
import { readText } from '../terminal/input.ts';
import { quoted } from '../terminal/quoted.ts';
import { openFile, parseJson } from './content.ts';

/** The options of `runward api` that make up the request. */
export interface RequestOptions {
  readonly field?: readonly string[];
  readonly typedField?: readonly string[];
  readonly file?: readonly string[];
  readonly input?: string;
}

/** Query and body of a request. */
export interface ApiRequest {
  readonly query: QueryValues;
  /** Undefined if there is none. For multipart, one object with fields and files. */
  readonly body: unknown;
  readonly isMultipart: boolean;
}

/**
 * Reads query and body from the options. `endpoint` is null if the contract does not have it; then only the options
 * decide what is sent.
 *
 * @throws CliError if the options contradict each other or the endpoint, or a file cannot be read
 */
export async function readRequest(
  io: Io,
  method: Method,
  endpoint: Endpoint | null,
  options: RequestOptions,
): Promise<ApiRequest> {
  const { field, typedField, file, input } = options;
  const fields = [
    ...keyValues('-f', field),
    ...keyValues('-F', typedField).map(([key, text]): [string, unknown] => [
      key,
      parseJson(text, `-F ${key}`, (problem) => usage(problem, `For a text: -f ${quoted(`${key}=${text}`)}`)),
    ]),
  ];
  if (method === 'GET' && (input !== undefined || file !== undefined)) {
    throw usage('A GET request has no body; use -f for its query.');
  }
  const multipart = endpoint && isMultipart(endpoint.body) ? endpoint.body : null;
  if (multipart || file !== undefined) {
    if (input !== undefined) throw usage('Use --file, -f and -F for a multipart body, not --input.');
    const files = keyValues('--file', file, 'name=@path');
    if (endpoint) checkFiles(`${method} ${endpoint.path}`, multipart, files);
    for (const [name, path] of files) fields.push([name, await openFile(io, path.replace(/^@/, ''))]);
    return { query: {}, body: Object.fromEntries(fields), isMultipart: true };
  }
  if (input !== undefined) {
    if (fields.length > 0) throw usage('Use either --input or -f and -F for the body.');
    return { query: {}, body: parseJson(await readText(io, input, 'the body'), input), isMultipart: false };
  }
  const named = Object.fromEntries(fields);
  if (method === 'GET' || method === 'DELETE')
    return { query: named as QueryValues, body: undefined, isMultipart: false };
  return { query: {}, body: fields.length === 0 ? undefined : named, isMultipart: false };
}

/** A multipart body as a form. */
export function toFormData(body: unknown): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(body ?? {})) {
    if (value instanceof File) form.append(name, value);
    else form.append(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  return form;
}

function checkFiles(endpoint: string, multipart: Multipart | null, files: readonly (readonly [string, string])[]) {
  if (!multipart) throw usage(`${endpoint} does not accept files; remove --file.`);
  const names = Object.keys(multipart.files);
  const unknown = files.find(([name]) => !names.includes(name));
  if (unknown) throw usage(`--file ${unknown[0]}: ${endpoint} accepts no such file. Choose from ${names.join(', ')}.`);
  const missing = names.filter((name) => !files.some(([given]) => given === name));
  if (missing.length > 0) {
    throw usage(`${endpoint} needs a file: ${missing.map((name) => `--file ${name}=@PATH`).join(' ')}`);
  }
}
