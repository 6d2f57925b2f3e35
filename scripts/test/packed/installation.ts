import {
  chmodSync,
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { removeDataFolder } from '@runward/testing/data-folder';
import { repository, startCommand } from '@runward/testing/program';
import { blocksOf } from '../guides/blocks.ts';

/** The packages outside of the repository, installed as their READMEs say. Disposing this deletes them. */
export interface Installation extends AsyncDisposable {
  /** A folder with the service. */
  readonly service: string;
  /** One project with the SDK and the receiver, and one with the contract and the engine. */
  readonly clients: string;
  readonly rules: string;
  /** The prefixes of the packages with global commands. Each has `bin` and `lib`. */
  readonly global: { readonly cli: string; readonly mcp: string };
}

/** What is not in a clone. */
const leftOut =
  /^(?:node_modules|dist|manual|font-files|coverage|packed|\.git|\.runward|\.runward-test)$|\.tsbuildinfo$/;

/** What npm says if it cannot reach the registry. */
const unreachable =
  /npm error (?:code )?(E(?:AI_AGAIN|CONNREFUSED|CONNRESET|HOSTUNREACH|NETUNREACH|NOTFOUND|TIMEDOUT|IDLETIMEOUT|NOTCACHED|5\d\d)|ERR_SOCKET_TIMEOUT)\b/;

/**
 * Packs and installs the packages with the commands of the READMEs, in a copy of the repository. If the registry cannot
 * be reached, returns the reason.
 */
export async function install(): Promise<Installation | string> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'runward-packed-')));
  // If root starts PostgreSQL, it runs as another user, who needs access to the folder.
  chmodSync(folder, 0o711);
  const clone = join(folder, 'clone');
  const service = join(folder, 'service');
  const clients = join(folder, 'clients');
  const rules = join(folder, 'rules');
  const globalOf = (name: string) => join(folder, `global-${name}`);
  const remove = async () => {
    await removeDataFolder(join(service, '.runward'));
    rmSync(folder, { recursive: true });
  };
  copyRepository(clone);
  for (const project of [clients, rules]) {
    mkdirSync(project);
    writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }\n');
  }
  for (const name of ['server', 'cli', 'mcp', 'contract', 'engine', 'sdk', 'webhooks']) {
    for (const archive of globSync('runward-*.tgz', { cwd: clone })) rmSync(join(clone, archive));
    const project = name === 'contract' || name === 'engine' ? rules : clients;
    const script = packingCommands(`packages/${name}/README.md`)
      .replaceAll('path/to/folder', service)
      .replaceAll('npm install path/to/', `npm install --prefix ${project} path/to/`)
      .replaceAll(' path/to/', ` ${clone}/`);
    const run = startCommand('sh', ['-ec', script], { cwd: clone, env: npmEnvironment(globalOf(name)) });
    if ((await run.ended) === 0) continue;
    await remove();
    const [, code] = unreachable.exec(run.output()) ?? [];
    if (code !== undefined) return `npm cannot reach its registry (${code})`;
    throw new Error(`packages/${name}/README.md: ${run.output()}`);
  }
  return {
    service,
    clients,
    rules,
    global: { cli: globalOf('cli'), mcp: globalOf('mcp') },
    [Symbol.asyncDispose]: remove,
  };
}

/** Copies the files of a clone, and links the dependencies that `npm ci` would install. */
function copyRepository(clone: string): void {
  const isKept = (path: string) => path === repository || !leftOut.test(basename(path));
  cpSync(repository, clone, { recursive: true, filter: isKept });
  linkAll(join(repository, 'node_modules'), join(clone, 'node_modules'));
  for (const name of readdirSync(join(clone, 'packages'))) {
    linkAll(join(repository, 'packages', name, 'node_modules'), join(clone, 'packages', name, 'node_modules'));
    const own = join(clone, 'node_modules', '@runward', name);
    mkdirSync(dirname(own), { recursive: true });
    symlinkSync(join(clone, 'packages', name), own);
  }
}

/** Links the packages in a node_modules folder, except those of this repository. */
function linkAll(modules: string, target: string): void {
  for (const name of globSync('{*,.bin}', { cwd: modules }).filter((each) => each !== '@runward')) {
    mkdirSync(target, { recursive: true });
    symlinkSync(join(modules, name), join(target, name));
  }
}

/** The commands of a README that pack and install its package. */
function packingCommands(page: string): string {
  const block = blocksOf(page).find(({ language, text }) => language === 'sh' && /^npm (?:run )?pack /m.test(text));
  if (block === undefined) throw new Error(`${page} does not say how to pack the package.`);
  return block.text;
}

/**
 * The settings of npm on this machine, with which it finds its registry, and settings for a prefix of global packages.
 */
function npmEnvironment(prefix: string): Record<string, string | undefined> {
  return {
    ...process.env,
    npm_config_prefix: prefix,
    npm_config_prefer_offline: 'true',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
  };
}
