import type { Command } from 'commander';
import { usage } from '../../errors.ts';
import type { Io } from '../../io.ts';
import { readText } from '../../terminal/input.ts';

/** Where the signing secret comes from. */
export interface SecretOptions {
  readonly secretFile?: string;
}

/** Adds `--secret-file`. There is no option for the secret itself, because it would end up in the shell history. */
export function addSecret(command: Command): Command {
  return command.option('--secret-file <file>', 'file with the signing secret (default: RUNWARD_SIGNING_SECRET)');
}

/** The signing secret without a trailing line break, or null if none was given. */
export async function findSecret(io: Io, { secretFile }: SecretOptions): Promise<string | null> {
  const secret =
    secretFile === undefined
      ? io.env['RUNWARD_SIGNING_SECRET']
      : (await readText(io, secretFile, 'the signing secret')).replace(/\r?\n$/, '');
  return secret || null;
}

/**
 * The signing secret.
 *
 * @throws CliError if none was given
 */
export async function readSecret(io: Io, options: SecretOptions): Promise<string> {
  const secret = await findSecret(io, options);
  if (secret !== null) return secret;
  throw usage('No signing secret. Set RUNWARD_SIGNING_SECRET, or use --secret-file to name a file that contains it.');
}
