import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { z } from 'zod';

type Environment = Readonly<Record<string, string | undefined>>;

const marked = z.registry();

/** Marks a setting as a secret, whose value can be in a file: see `readSecretFiles`. */
export function secret<Schema extends z.ZodType>(schema: Schema): Schema {
  marked.add(schema);
  return schema;
}

/** The names of the settings that are secrets. */
export function secretsOf(shape: Readonly<Record<string, z.ZodType>>): readonly string[] {
  return Object.entries(shape).flatMap(([name, schema]) => (marked.has(schema) ? [name] : []));
}

const suffix = '_FILE';

/** The variable that names the file with the value of a secret. */
export const fileVariable = (name: string) => `${name}${suffix}`;

/** An environment in which secrets have their values, wherever they come from. */
export interface ReadEnvironment {
  readonly env: Environment;
  /** The paths of the files, by the names of the secrets that they contain. */
  readonly files: ReadonlyMap<string, string>;
  /** What is wrong, each with the name of the variable. No problem contains a value. */
  readonly problems: readonly string[];
}

/**
 * Replaces each variable like `DATABASE_URL_FILE`, the path of a file with the value of a secret, by the secret. One
 * line break at the end of the file does not belong to the value. `isSecret` says which names are those of secrets.
 */
export function readSecretFiles(given: Environment, isSecret: (name: string) => boolean): ReadEnvironment {
  const env = { ...given };
  const files = new Map<string, string>();
  const problems: string[] = [];
  for (const [variable, path] of Object.entries(given)) {
    const name = variable.slice(0, -suffix.length);
    if (path === undefined || variable !== fileVariable(name) || !isSecret(name)) continue;
    delete env[variable];
    files.set(name, path);
    if (given[name] !== undefined) {
      problems.push(`${variable}: must not be set together with ${name}; unset one of them`);
      continue;
    }
    const { value, problem } = readValue(path, name);
    if (problem === undefined) env[name] = value;
    else problems.push(`${variable}: ${problem}`);
  }
  return { env, files, problems };
}

const maximumBytes = 65_536;

/** The value in a file, or what is wrong with the file and what to do. */
function readValue(path: string, name: string): { value?: string; problem?: string } {
  // A secret that was set instead of a path is not repeated in the message.
  if (!isAbsolute(path)) {
    return { problem: `must be the absolute path of a file with the value of ${name}, like /run/secrets/name` };
  }
  const wrong = (what: string, remedy: string) => ({ problem: `${path} ${what}; ${remedy}` });
  const write = `write the value of ${name} into it, and nothing else`;
  let bytes: Buffer | null;
  try {
    bytes = readBytes(path);
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return wrong('does not exist', 'create the file, or correct its path');
    return wrong(`cannot be read (${code})`, 'let the user of the service read the file and enter its folders');
  }
  if (bytes === null) return wrong('is not a file', 'give the path of a file');
  if (bytes.length > maximumBytes) return wrong('has more than 64 kB', write);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return wrong('is not text in UTF-8', write);
  }
  const value = text.replace(/\r?\n$/, '');
  if (value === '') return wrong('is empty', write);
  if (/[\r\n]/.test(value)) return wrong('has more than one line', write);
  return { value };
}

/** The first bytes of a file, at most one more than the maximum; null if the path is not that of a file. */
function readBytes(path: string): Buffer | null {
  // A pipe would wait here for somebody who writes.
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    if (!fstatSync(descriptor).isFile()) return null;
    const bytes = Buffer.alloc(maximumBytes + 1);
    return bytes.subarray(0, readSync(descriptor, bytes));
  } finally {
    closeSync(descriptor);
  }
}
