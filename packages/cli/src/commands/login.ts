import { isPermissionError, isRateLimited } from '@runward/sdk';
import type { Command } from 'commander';
import { action, clientFor, type Cli } from '../cli.ts';
import { refused, usage } from '../errors.ts';
import { examples } from '../options.ts';
import { printRecord } from '../output/print.ts';
import { checkBaseUrl, defaultBaseUrl } from '../profiles/connection.ts';
import { masked, readProfiles, writeProfiles, type Profile, type Profiles } from '../profiles/store.ts';
import { readStdin, readText } from '../terminal/input.ts';
import { canAsk, note } from '../terminal/notes.ts';
import { askSecret, askText } from '../terminal/prompts.ts';

interface LoginOptions {
  readonly withToken?: boolean;
  readonly credentials?: string;
}

/** `runward login`: checks a key and stores it. */
export function login(program: Command): void {
  program
    .command('login')
    .description('Check an API key and store it as a profile')
    .option('--with-token', 'read the key from the standard input')
    .option('--credentials <file>', 'take address and key from the credentials.json of a server')
    .addHelpText(
      'after',
      examples(
        'runward login',
        'runward login --base-url https://runward.example.com --profile work',
        'pass show runward | runward login --with-token --base-url https://runward.example.com',
        'runward login --credentials .runward/credentials.json',
      ),
    )
    .action(
      action(async (cli, options: LoginOptions) => {
        const stored = await readProfiles();
        const name = cli.globals.profile ?? (process.env['RUNWARD_PROFILE'] || stored.current || 'default');
        const profile = await readLogin(cli, options, stored, name);
        await verify(cli, profile);
        await writeProfiles({ current: name, profiles: { ...stored.profiles, [name]: profile } });
        note(`Logged in to ${profile.baseUrl}. The profile "${name}" is now the current one.`);
        await printRecord(
          cli.output,
          { profile: name, baseUrl: profile.baseUrl, key: masked(profile.apiKey) },
          { columns: fields, fields },
        );
      }),
    );
}

const fields = ['profile', 'baseUrl', 'key'];

async function readLogin({ globals }: Cli, options: LoginOptions, stored: Profiles, name: string): Promise<Profile> {
  const { withToken, credentials } = options;
  if (credentials !== undefined) {
    if (withToken) throw usage('Give either --credentials or --with-token.');
    const { baseUrl, apiKey } = await readCredentials(credentials);
    return { baseUrl: sound(globals.baseUrl ?? baseUrl), apiKey };
  }
  const given = globals.baseUrl ?? (process.env['RUNWARD_BASE_URL'] || undefined);
  const likely = given ?? stored.profiles[name]?.baseUrl ?? defaultBaseUrl;
  if (withToken) {
    const baseUrl = sound(likely);
    return { baseUrl, apiKey: checkedKey((await readStdin('the API key')).toString('utf8')) };
  }
  if (!canAsk()) {
    throw usage('There is no terminal to ask on. Pipe the key in: runward login --with-token --base-url URL < key.txt');
  }
  const baseUrl = given ?? (await askText('Address of the server', { initial: likely, check: baseUrlFault }));
  return { baseUrl: sound(baseUrl), apiKey: checkedKey(await askSecret('API key', keyFault)) };
}

async function readCredentials(path: string): Promise<Profile> {
  const text = await readText(path, 'the credentials');
  try {
    const { baseUrl, apiKey }: Partial<Profile> = JSON.parse(text);
    if (typeof baseUrl === 'string' && typeof apiKey === 'string') return { baseUrl, apiKey: checkedKey(apiKey) };
  } catch {
    // Said below: the parser's own message would quote the file.
  }
  throw refused(`${path} is no credentials.json of a server: it must be JSON with baseUrl and apiKey.`);
}

/** Any key can ask for the members: a refusal for lack of a scope proves that the server knows it. */
async function verify({ globals }: Cli, profile: Profile): Promise<void> {
  const { hostname, protocol } = new URL(profile.baseUrl);
  if (protocol === 'http:' && !['127.0.0.1', 'localhost', '[::1]'].includes(hostname)) {
    note(`The key travels to ${profile.baseUrl} unencrypted; use https if the server offers it.`);
  }
  try {
    await clientFor(profile, globals).users.list({ limit: 1 }, { maxRetries: 0 });
  } catch (error) {
    if (!isPermissionError(error) && !isRateLimited(error)) throw error;
  }
}

function checkedKey(given: string): string {
  const key = given.trim();
  const fault = keyFault(key);
  if (fault) throw usage(fault);
  return key;
}

function keyFault(key: string): string | undefined {
  return /^sk_live_[\x21-\x7e]+$/.test(key.trim())
    ? undefined
    : 'A key begins with sk_live_. Copy it once more, alone.';
}

function baseUrlFault(text: string): string | undefined {
  try {
    checkBaseUrl(text.trim());
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function sound(baseUrl: string): string {
  checkBaseUrl(baseUrl.trim());
  return baseUrl.trim().replace(/\/+$/, '');
}
