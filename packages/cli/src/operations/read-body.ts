import { openFile, parseJson } from '../api/content.ts';
import { usage } from '../errors.ts';
import type { Io } from '../io.ts';
import { keyValues } from '../options.ts';
import { readText } from '../terminal/input.ts';
import { quoted } from '../terminal/quoted.ts';
import type { OperationCommand } from './operation.ts';

/**
 * Builds the body of an operation from the file of `--input`, then `--field`, then the options. Opens the files.
 *
 * @throws CliError if a file cannot be read, or is not a JSON object
 */
export async function readBody(
  io: Io,
  { body = [] }: OperationCommand,
  options: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  const { input, field } = options as { input?: string; field?: readonly string[] };
  const fields = keyValues('--field', field, 'name=json').map(([name, text]): [string, unknown] => [
    name,
    parseJson(text, `--field ${name}`, (problem) =>
      usage(problem, `For a text: --field ${quoted(`${name}=${JSON.stringify(text)}`)}`),
    ),
  ]);
  const read = { ...(input !== undefined && (await readObject(io, input))), ...Object.fromEntries(fields) };
  for (const { name, type } of body) {
    const value = options[name];
    if (value !== undefined) read[name] = type === 'file' ? await openFile(io, value as string) : value;
  }
  return read;
}

async function readObject(io: Io, path: string): Promise<Record<string, unknown>> {
  const value = parseJson(await readText(io, path, 'the body'), path);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw usage(`${path} is not a JSON object.`);
}
