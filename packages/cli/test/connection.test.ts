import test from 'ava';
import { CliError, reworded } from '../src/errors.ts';
import { resolveConnection, type ConnectionSources } from '../src/profiles/connection.ts';

const stored = {
  current: 'work',
  profiles: {
    work: { baseUrl: 'https://work.example.com/api', apiKey: 'sk_live_work' },
    home: { baseUrl: 'http://localhost:3000', apiKey: 'sk_live_home' },
  },
};

function resolve(flags: ConnectionSources['flags'], env: ConnectionSources['env'] = {}) {
  return resolveConnection({ flags, env, stored });
}

const work = { baseUrl: 'https://work.example.com/api', apiKey: 'sk_live_work', profile: 'work' };
const home = { baseUrl: 'http://localhost:3000', apiKey: 'sk_live_home', profile: 'home' };

test('flags take precedence over the environment, and the environment over the current profile', (t) => {
  const other = { RUNWARD_API_KEY: 'sk_live_env', RUNWARD_BASE_URL: 'https://env.example.com' };
  t.deepEqual(resolve({}), work);
  t.deepEqual(resolve({}, { RUNWARD_PROFILE: 'home' }), home);
  t.deepEqual(resolve({ profile: 'work' }, { RUNWARD_PROFILE: 'home', ...other }), work);
  t.deepEqual(resolve({}, other), { baseUrl: 'https://env.example.com', apiKey: 'sk_live_env', profile: null });
  t.deepEqual(resolve({ baseUrl: 'https://flag.example.com' }, other), {
    baseUrl: 'https://flag.example.com',
    apiKey: 'sk_live_env',
    profile: null,
  });
  t.deepEqual(resolve({}, { RUNWARD_API_KEY: 'sk_live_env', RUNWARD_PROFILE: 'home' }), {
    baseUrl: 'http://localhost:3000',
    apiKey: 'sk_live_env',
    profile: null,
  });
  t.deepEqual(resolve({}, { RUNWARD_API_KEY: '', RUNWARD_BASE_URL: '', RUNWARD_PROFILE: '' }), work);
  t.is(
    resolveConnection({ flags: {}, env: { RUNWARD_API_KEY: 'sk_live_env' }, stored: { current: null, profiles: {} } })
      .baseUrl,
    'http://127.0.0.1:3000',
  );
});

test('a stored API key is sent only to its server, to any path', (t) => {
  t.is(resolve({ baseUrl: 'https://work.example.com/other' }).baseUrl, 'https://work.example.com/other');
  const rejected = { instanceOf: CliError, message: /belongs to https:\/\/work\.example\.com\/api and is not sent to/ };
  t.throws(() => resolve({ baseUrl: 'http://work.example.com/api' }), rejected);
  t.throws(() => resolve({}, { RUNWARD_BASE_URL: 'https://evil.example.com' }), rejected);
  t.deepEqual(resolve({ profile: 'work' }, { RUNWARD_BASE_URL: 'https://evil.example.com' }), work);
});

test('an unknown profile, a missing API key and an invalid URL are rejected', (t) => {
  t.throws(() => resolve({ profile: 'play' }), { message: /Unknown profile "play"\. Existing profiles: work, home\./ });
  t.throws(() => resolve({ profile: 'toString' }), { message: /Unknown profile "toString"/ });
  t.throws(() => resolve({}, { RUNWARD_PROFILE: 'play' }), { message: /Unknown profile "play"/ });
  t.throws(() => resolveConnection({ flags: {}, env: {}, stored: { current: null, profiles: {} } }), {
    message: 'No API key. Run "runward login", or set RUNWARD_API_KEY.',
  });
  // After the logout from the current profile.
  t.throws(() => resolveConnection({ flags: {}, env: {}, stored: { ...stored, current: null } }), {
    message:
      /no profile is the current one\. Existing profiles: work, home\. Choose one with "runward profiles use NAME"/,
  });
  const malformed = { current: 'work', profiles: { work: { ...stored.profiles.work, apiKey: 'secret' } } };
  const error = t.throws(() => resolveConnection({ flags: {}, env: {}, stored: malformed }), { instanceOf: CliError });
  t.is(error.exitCode, 4);
  t.regex(error.message, /^The API key of the profile "work" must be sk_live_ /);
  t.throws(() => resolve({ baseUrl: 'ftp://x' }, { RUNWARD_API_KEY: 'k' }), { message: /is not the URL of a server/ });
  t.throws(() => resolve({ baseUrl: 'https://a:b@x' }, { RUNWARD_API_KEY: 'k' }), { message: /is not the URL/ });
});

test('the message of OpenSSL is reduced to its reason', (t) => {
  const error = '80BBEF7A:error:0A00010B:SSL routines:tls_validate_record_header:wrong version number';
  const message = `GET /runs failed: ${error}:../deps/openssl/openssl/ssl/record/methods/tlsany_meth.c:84:\n. Check the URL.`;
  t.is(reworded(message), 'GET /runs failed: TLS: wrong version number. Check the URL.');
});
