import type { Command } from 'commander';
import { usage } from '../../errors.ts';
import { readText } from '../../terminal/input.ts';

/** Where the signing secret comes from. */
export interface SecretOptions {
  readonly secretFile?: string;
}

/** Adds `--secret-file`. There is no option for the secret itself, because shells keep a history. */
export function addSecret(command: Command): Command {
  return command.option('--secret-file <file>', 'file with the signing secret (default: RUNWARD_SIGNING_SECRET)');
}

/** The signing secret that was given, without the line end a file has; null when there is none. */
export async function findSecret({ secretFile }: SecretOptions): Promise<string | null> {
  const secret =
    secretFile === undefined
      ? process.env['RUNWARD_SIGNING_SECRET']
      : (await readText(secretFile, 'the signing secret')).replace(/\r?\n$/, '');
  return secret || null;
}

/**
 * The signing secret that was given.
 *
 * @throws CliError when there is none
 */
export async function readSecret(options: SecretOptions): Promise<string> {
  const secret = await findSecret(options);
  if (secret !== null) return secret;
  throw usage(
    'There is no signing secret. Set RUNWARD_SIGNING_SECRET, or name a file that holds it with --secret-file.',
  );
}
