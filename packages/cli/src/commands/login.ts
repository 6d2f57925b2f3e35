import { isRateLimited } from '@runward/sdk';
import type { Command } from 'commander';
import type { Action } from '../action.ts';
import type { Cli } from '../cli.ts';
import { messageOf, rejected, usage } from '../errors.ts';
import { examples } from '../options.ts';
import { printRecord } from '../output/print.ts';
import { checkApiKey, checkBaseUrl, defaultBaseUrl } from '../profiles/connection.ts';
import { masked, readProfiles, writeProfiles, type Profile, type Profiles } from '../profiles/store.ts';
import { readStdin, readText } from '../terminal/input.ts';

interface LoginOptions {
  readonly withToken?: boolean;
  readonly credentials?: string;
}

const fields = ['profile', 'baseUrl', 'key'];

/** `runward login`: checks an API key and stores it. */
export function login(program: Command, action: Action): void {
  program
    .command('login')
    .option('--with-token', 'read the API key from stdin')
    .option('--credentials <file>', 'take URL and API key from the credentials.json of a server')
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
        const { io, globals, output, info } = cli;
        const stored = await readProfiles(io);
        const name = globals.profile ?? (io.env['RUNWARD_PROFILE'] || stored.current || 'default');
        const profile = await readLogin(cli, options, stored, name);
        await verify(cli, profile);
        await writeProfiles(io, { current: name, profiles: { ...stored.profiles, [name]: profile } });
        info(`Logged in to ${profile.baseUrl}. The current profile is now "${name}".`);
        const record = { profile: name, baseUrl: profile.baseUrl, key: masked(profile.apiKey) };
        await printRecord(output, record, { columns: fields, fields });
      }),
    );
}

async function readLogin(cli: Cli, options: LoginOptions, stored: Profiles, name: string): Promise<Profile> {
  const { io, globals, prompts } = cli;
  const { withToken, credentials } = options;
  if (credentials !== undefined) {
    if (withToken) throw usage('Use either --credentials or --with-token.');
    const { baseUrl, apiKey } = await readCredentials(cli, credentials);
    return { baseUrl: normalizedUrl(globals.baseUrl ?? baseUrl), apiKey };
  }
  const given = globals.baseUrl ?? (io.env['RUNWARD_BASE_URL'] || undefined);
  const likely = given ?? stored.profiles[name]?.baseUrl ?? defaultBaseUrl;
  if (withToken) {
    const baseUrl = normalizedUrl(likely);
    return { baseUrl, apiKey: checkedKey((await readStdin(io, 'the API key')).toString('utf8')) };
  }
  if (!prompts) {
    throw usage('No terminal to ask on. Pipe the API key in: runward login --with-token --base-url URL < key.txt');
  }
  const urlError = (text: string) => messageFrom(() => checkBaseUrl(text.trim()));
  const keyError = (text: string) => messageFrom(() => checkApiKey(text, 'The API key'));
  const baseUrl = given ?? (await prompts.text('URL of the server', { initial: likely, check: urlError }));
  return { baseUrl: normalizedUrl(baseUrl), apiKey: checkedKey(await prompts.secret('API key', keyError)) };
}

async function readCredentials({ io }: Cli, path: string): Promise<Profile> {
  const text = await readText(io, path, 'the credentials');
  try {
    const { baseUrl, apiKey }: Partial<Profile> = JSON.parse(text);
    if (typeof baseUrl === 'string' && typeof apiKey === 'string') return { baseUrl, apiKey: checkedKey(apiKey) };
  } catch {
    // Reported below, because the parser's message would quote the file.
  }
  throw rejected(`${path} is not the credentials.json of a server: it must be JSON with baseUrl and apiKey.`);
}

/** Checks an API key with a request. A 429 also proves that the server accepts it. */
async function verify({ connect, info }: Cli, profile: Profile): Promise<void> {
  const { hostname, protocol } = new URL(profile.baseUrl);
  if (protocol === 'http:' && !['127.0.0.1', 'localhost', '[::1]'].includes(hostname)) {
    info(`The API key is sent to ${profile.baseUrl} unencrypted; use https if the server supports it.`);
  }
  try {
    const client = await connect(profile);
    await client.me.get({ maxRetries: 0 });
  } catch (error) {
    if (!isRateLimited(error)) throw error;
  }
}

function checkedKey(given: string): string {
  checkApiKey(given, 'The API key');
  return given.trim();
}

/** The message of a check that throws, as questions take it. */
function messageFrom(check: () => void): string | undefined {
  try {
    check();
  } catch (error) {
    return messageOf(error);
  }
}

function normalizedUrl(baseUrl: string): string {
  checkBaseUrl(baseUrl.trim());
  return baseUrl.trim().replace(/\/+$/, '');
}
