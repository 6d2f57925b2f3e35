/** The entry of a package in a lock file. npm knows more properties. */
export interface LockEntry {
  readonly version?: string;
  readonly license?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly optional?: boolean;
  readonly devOptional?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/** A lock file of npm: its packages by install location, like `node_modules/koa`. */
export interface LockFile {
  readonly lockfileVersion: number;
  readonly packages: Readonly<Record<string, LockEntry>>;
}

/** A package of the repository that was packed. */
export interface Archive {
  /** The folder below `packages/`, which is also the name after `@runward/`. */
  readonly folder: string;
  /** The reference to the archive in a manifest beside it, like `file:runward-sdk-1.0.0.tgz`. */
  readonly resolved: string;
  readonly integrity: string;
}

/** The properties that npm writes for packages of a registry and for archives. All others concern development. */
const kept = new Set([
  'version',
  'license',
  'dependencies',
  'optionalDependencies',
  'peerDependencies',
  'peerDependenciesMeta',
  'bin',
  'engines',
]);

/**
 * The packages of an installation, by install location: the archives and everything that they require. Each has the
 * version, the hash and the location from the repository's lock file. Throws if that file lacks a required package.
 */
export function packagesOf(archives: readonly Archive[], repository: LockFile): Record<string, LockEntry> {
  const found = new Map<string, LockEntry>();
  for (const { folder, resolved, integrity } of archives) {
    const entry = repository.packages[`packages/${folder}`] ?? {};
    const own = Object.fromEntries(Object.entries(entry).filter(([name]) => kept.has(name)));
    found.set(`packages/${folder}`, { ...own, resolved, integrity });
  }
  // A loop over a map also visits items that are added meanwhile.
  for (const [path, entry] of found) {
    for (const { name, isOptional } of requirementsOf(entry)) {
      if (name.startsWith('@runward/')) continue;
      const place = placeOf(name, path, repository);
      if (place !== undefined) found.set(place, found.get(place) ?? productive(repository.packages[place] ?? {}));
      else if (!isOptional)
        throw new Error(`package-lock.json lacks ${name}, which ${path} requires; run npm install.`);
    }
  }
  const installed = [...found].map(
    ([path, entry]) => [path.replace(/^packages\//, 'node_modules/@runward/'), entry] as const,
  );
  return Object.fromEntries(installed.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

function requirementsOf(entry: LockEntry): { readonly name: string; readonly isOptional: boolean }[] {
  const { dependencies = {}, optionalDependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = entry;
  const peers = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true);
  return [
    ...[...Object.keys(dependencies), ...peers].map((name) => ({ name, isOptional: false })),
    ...Object.keys(optionalDependencies).map((name) => ({ name, isOptional: true })),
  ];
}

/** Where Node finds a package that the one at `path` imports. */
function placeOf(name: string, path: string, { packages }: LockFile): string | undefined {
  const end = path.lastIndexOf('/node_modules/');
  const places = [`${path}/node_modules/${name}`];
  for (let at = end; at !== -1; at = path.lastIndexOf('/node_modules/', at - 1)) {
    places.push(`${path.slice(0, at)}/node_modules/${name}`);
  }
  return [...places, `node_modules/${name}`].find((place) => Object.hasOwn(packages, place));
}

/** An entry may be required both by tools of the repository and by optional packages. Here it is only optional. */
function productive({ devOptional, ...entry }: LockEntry): LockEntry {
  return devOptional ? { ...entry, optional: true } : entry;
}
