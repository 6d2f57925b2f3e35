import { notAllowed, usage } from '../errors.ts';
import type { Profile, Profiles } from './store.ts';

/** Sources of server and API key: flags, the environment and the stored profiles, in this order. */
export interface ConnectionSources {
  readonly flags: { readonly profile?: string | undefined; readonly baseUrl?: string | undefined };
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stored: Profiles;
}

/** A server and an API key, and where the key comes from. */
export interface Connection {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** The profile of the key; null if the key comes from the environment. */
  readonly profile: string | null;
}

/** The default URL: a server with default settings on this machine. */
export const defaultBaseUrl = 'http://127.0.0.1:3000';

/**
 * Chooses server and API key. Flags take precedence over the environment, and the environment over the current profile.
 * A stored key is sent only to the server that it was stored for.
 *
 * @throws CliError if there is no key or no such profile, if the key is malformed, or if the key of the profile belongs
 * to another server
 */
export function resolveConnection({ flags, env, stored }: ConnectionSources): Connection {
  const { name, profile } = chooseProfile({ flags, env, stored });
  // --profile selects both the server and the key, so the environment is ignored.
  const environment = flags.profile === undefined ? env : {};
  const apiKey = environment['RUNWARD_API_KEY'] || profile?.apiKey;
  if (!apiKey) throw missingKey(stored);

  const baseUrl = flags.baseUrl ?? (environment['RUNWARD_BASE_URL'] || profile?.baseUrl || defaultBaseUrl);
  checkBaseUrl(baseUrl);
  const isStored = !environment['RUNWARD_API_KEY'];
  if (isStored && profile && origin(baseUrl) !== origin(profile.baseUrl)) {
    throw usage(
      `The API key of the profile "${name}" belongs to ${profile.baseUrl} and is not sent to ${baseUrl}.`,
      flags.baseUrl === undefined
        ? `Unset RUNWARD_BASE_URL, use --profile ${name}, or also set RUNWARD_API_KEY.`
        : `Log in to that server with "runward login --base-url ${baseUrl} --profile NAME", or set RUNWARD_API_KEY.`,
    );
  }
  checkApiKey(apiKey, isStored ? `The API key of the profile "${name}"` : 'RUNWARD_API_KEY');
  return { baseUrl, apiKey, profile: isStored ? name : null };
}

/**
 * Checks the URL of a server.
 *
 * @throws CliError if it is not an HTTP URL without credentials
 */
export function checkBaseUrl(text: string): void {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url && ['http:', 'https:'].includes(url.protocol) && !url.username && !url.password) return;
  throw usage(`"${text}" is not the URL of a server; use one like https://runward.example.com.`);
}

/**
 * Checks the form of an API key; the server looks it up. `source` names the key in errors. The key
 * itself is not printed, because it may be a different secret.
 *
 * @throws CliError if it is malformed
 */
export function checkApiKey(text: string, source: string): void {
  if (/^sk_live_[\w-]+$/.test(text.trim())) return;
  throw notAllowed(`${source} must be sk_live_ followed by letters and digits. Copy the key again, and nothing else.`);
}

function chooseProfile({ flags, env, stored }: ConnectionSources): { name: string; profile: Profile | undefined } {
  const requested = flags.profile ?? (env['RUNWARD_PROFILE'] || undefined);
  const name = requested ?? stored.current ?? '';
  const profile = Object.hasOwn(stored.profiles, name) ? stored.profiles[name] : undefined;
  if (requested !== undefined && !profile) throw unknownProfile(requested, stored);
  return { name, profile };
}

/** The error of a command without an API key. Profiles may be stored although none is the current one. */
function missingKey({ profiles }: Profiles) {
  const names = Object.keys(profiles);
  if (names.length === 0) return notAllowed('No API key. Run "runward login", or set RUNWARD_API_KEY.');
  return notAllowed(
    `No API key: no profile is the current one. Existing profiles: ${names.join(', ')}. Choose one with "runward profiles use NAME", or set RUNWARD_API_KEY.`,
  );
}

/** The error of a profile that does not exist. */
export function unknownProfile(name: string, { profiles }: Profiles) {
  const names = Object.keys(profiles);
  const existing = names.length > 0 ? `Existing profiles: ${names.join(', ')}.` : 'No profiles are stored.';
  return usage(`Unknown profile "${name}". ${existing} Create it with: runward login --profile ${name}`);
}

function origin(baseUrl: string): string {
  return new URL(baseUrl).origin;
}
