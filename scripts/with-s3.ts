/**
 * Runs a command beside an S3 service: `node --conditions=@runward/source scripts/with-s3.ts COMMAND ...` starts a
 * throw-away Garage, sets `S3_TEST_URL` and the credentials of AWS for the command, stops the service, and exits as the
 * command did. If `S3_TEST_URL` is set, the command gets that service. `... with-s3.ts --build` only builds Garage,
 * with cargo and once, into `.runward-test`: some minutes. Without it the command runs all the same, and skips its
 * tests on S3.
 *
 * A test tool only: Garage is licensed under the AGPL, so it is never shipped with Runward, and no package depends on
 * it.
 */
import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '@runward/testing/ports';
import { until } from '@runward/testing/until';
import { runBeside, skipping, type Server } from './beside.ts';
import { cacheFolder, fetchOnce } from './fetch-once.ts';

const name = 'garage-2.5.0';
// In CI, it is built at low priority while the tests run. Alone, it takes four minutes.
const buildMs = 2_700_000;
const startSeconds = 30;

const command = process.argv.slice(2);
const isGiven = Boolean(process.env['S3_TEST_URL']);
if (command[0] === '--build') await build();
else await runBeside(async () => (isGiven ? null : startGarage().catch(skipping('Garage'))), command);

/** Garage without what a single node does not need. A debug build takes half the time, and is fast enough. */
function build(): Promise<string> {
  return fetchOnce(name, async (folder) => {
    const features = ['--no-default-features', '--features', 'sqlite,bundled-libs'];
    const options = ['--locked', '--debug', '--root', folder, ...features];
    const env = { ...process.env, CARGO_TARGET_DIR: join(folder, 'target') };
    await promisify(execFile)('cargo', ['install', 'garage@2.5.0', ...options], {
      timeout: buildMs,
      env,
      maxBuffer: 2 ** 26,
    });
    await rm(join(folder, 'target'), { recursive: true });
  });
}

async function startGarage(): Promise<Server> {
  const program = join(cacheFolder, name, 'bin', 'garage');
  if (!existsSync(program)) throw new Error('build it with scripts/with-s3.ts --build');
  const folder = await mkdtemp(join(tmpdir(), 'runward-s3-'));
  const [port, rpcPort] = [await freePort(), await freePort()];
  const settings = `
metadata_dir = "${folder}/meta"
data_dir = "${folder}/data"
db_engine = "sqlite"
replication_factor = 1
rpc_bind_addr = "127.0.0.1:${rpcPort}"
rpc_public_addr = "127.0.0.1:${rpcPort}"
rpc_secret = "${randomBytes(32).toString('hex')}"
[s3_api]
s3_region = "garage"
api_bind_addr = "127.0.0.1:${port}"
`;
  const config = join(folder, 'garage.toml');
  await writeFile(config, settings);
  const credentials = {
    AWS_ACCESS_KEY_ID: `GK${randomBytes(12).toString('hex')}`,
    AWS_SECRET_ACCESS_KEY: randomBytes(32).toString('hex'),
  };
  const env = {
    ...process.env,
    RUST_LOG: 'warn',
    GARAGE_DEFAULT_ACCESS_KEY: credentials.AWS_ACCESS_KEY_ID,
    GARAGE_DEFAULT_SECRET_KEY: credentials.AWS_SECRET_ACCESS_KEY,
    GARAGE_DEFAULT_BUCKET: 'runward',
  };
  const options = ['-c', config, 'server', '--single-node', '--default-bucket'];
  const server = spawn(program, options, { env, stdio: 'ignore', detached: true });
  const ended = once(server, 'exit');
  process.once('exit', () => server.kill('SIGKILL'));
  const endpoint = `http://127.0.0.1:${port}`;
  // Without a signature, the bucket that exists is forbidden.
  const isReady = async () => (await fetch(`${endpoint}/runward`).catch(() => null))?.status === 403;
  await until(isReady, 'Garage', startSeconds);
  return {
    env: { ...credentials, S3_TEST_URL: `s3://runward?endpoint=${endpoint}&region=garage` },
    stop: async () => {
      server.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
