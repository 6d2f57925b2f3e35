import { denied, usage } from '../errors.ts';
import type { Profile, Profiles } from './store.ts';

/** What says where to and with which key: flags, the environment, the stored profiles; in this order. */
export interface ConnectionSources {
  readonly flags: { readonly profile?: string | undefined; readonly baseUrl?: string | undefined };
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stored: Profiles;
}

/** A server and a key, and where they came from. */
export interface Connection {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** The profile the key is from; null when it is from the environment. */
  readonly profile: string | null;
}

/** Where a server is when nobody says so: the default of the server itself. */
export const defaultBaseUrl = 'http://127.0.0.1:3000';

/**
 * Settles server and key: a flag beats the environment, the environment beats the current profile. A stored key goes only
 * to the server it was stored for.
 *
 * @throws CliError when there is no key, no such profile, or another server than the profile's
 */
export function resolveConnection({ flags, env, stored }: ConnectionSources): Connection {
  const { name, profile } = chosenProfile({ flags, env, stored });
  // A profile named on the command line stands for its server and its key, whatever the environment says.
  const environment = flags.profile === undefined ? env : {};
  const apiKey = environment['RUNWARD_API_KEY'] || profile?.apiKey;
  if (!apiKey) throw denied('There is no API key. Run: runward login. Or set RUNWARD_API_KEY.');

  const baseUrl = flags.baseUrl ?? (environment['RUNWARD_BASE_URL'] || profile?.baseUrl || defaultBaseUrl);
  checkBaseUrl(baseUrl);
  const fromProfile = !environment['RUNWARD_API_KEY'];
  if (fromProfile && profile && origin(baseUrl) !== origin(profile.baseUrl)) {
    throw usage(
      `The key of the profile "${name}" is for ${profile.baseUrl} and is not sent to ${baseUrl}.`,
      flags.baseUrl === undefined
        ? `Unset RUNWARD_BASE_URL, name the profile with --profile ${name}, or set RUNWARD_API_KEY as well.`
        : `Log in there: runward login --base-url ${baseUrl} --profile NAME. Or set RUNWARD_API_KEY.`,
    );
  }
  return { baseUrl, apiKey, profile: fromProfile ? name : null };
}

/** Refuses what is no address of a server. */
export function checkBaseUrl(text: string): void {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url && ['http:', 'https:'].includes(url.protocol) && !url.username && !url.password) return;
  throw usage(`"${text}" is no address of a server; it must look like https://runward.example.com.`);
}

function chosenProfile({ flags, env, stored }: ConnectionSources): { name: string; profile: Profile | undefined } {
  const named = flags.profile ?? (env['RUNWARD_PROFILE'] || undefined);
  const name = named ?? stored.current ?? '';
  const profile = Object.hasOwn(stored.profiles, name) ? stored.profiles[name] : undefined;
  if (named !== undefined && !profile) throw noProfile(named, stored);
  return { name, profile };
}

/** The error for a profile that does not exist. */
export function noProfile(name: string, { profiles }: Profiles) {
  const names = Object.keys(profiles);
  const others = names.length > 0 ? `There are: ${names.join(', ')}.` : 'There are none yet.';
  return usage(`There is no profile "${name}". ${others} Make one with: runward login --profile ${name}`);
}

function origin(baseUrl: string): string {
  return new URL(baseUrl).origin;
}
