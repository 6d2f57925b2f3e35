import { basename } from 'node:path';
import type { LockFile } from './lock-file.ts';

/** A license of CycloneDX: an identifier or expression of SPDX, or any other name. */
export type License =
  | { readonly license: { readonly id: string } | { readonly name: string } }
  | { readonly expression: string };

/** A component of a bill of materials. npm knows more properties. */
export interface Component {
  readonly 'bom-ref': string;
  readonly type: string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly licenses?: readonly License[];
  readonly externalReferences?: readonly { readonly type: string; readonly url: string }[];
  /** What it contains of others. */
  readonly components?: readonly Component[];
}

/** A software bill of materials, as CycloneDX 1.5. npm knows more properties. */
export interface Bom {
  readonly serialNumber?: string;
  readonly metadata: { readonly timestamp?: string; readonly component: Component };
  readonly components: readonly Component[];
}

/** What npm does not know, or not in the way it should be published. */
export interface BomDetails {
  /** The name of what the bill describes. */
  readonly name: string;
  /** The lock file of the repository. */
  readonly lock: LockFile;
  /** The license in a manifest that states it in another way than npm reads. Null if there is none. */
  readonly licenseAt: (place: string) => string | null;
  /** What packages contain of others, by folder below `packages/`. */
  readonly copied: Readonly<Record<string, readonly string[]>>;
  /** Seconds since the epoch; null for no timestamp. */
  readonly at: number | null;
}

/** Identifiers of SPDX that no package has which npm lists, but something that packages contain. */
const furtherIds = ['OFL-1.1'];

/**
 * Completes a bill that npm made: it gets all licenses, and what packages contain of others. It loses what differs
 * each time, and the paths of this machine. Throws if a license is unknown.
 */
export function completeBom({ serialNumber: _, ...bom }: Bom, details: BomDetails): Bom {
  const { timestamp: _now, component, ...metadata } = bom.metadata;
  const ids = new Set([...furtherIds, ...bom.components.flatMap(({ licenses = [] }) => licenses.flatMap(idIn))]);
  const licensed = (each: Component): Component => ({
    ...each,
    licenses: each.licenses ?? [licenseOf(each, details, ids)],
  });
  const complete = (each: Component): Component => {
    const contents = contentsOf(each, details).map(licensed);
    return { ...licensed(withoutPaths(each)), ...(contents.length > 0 && { components: contents }) };
  };
  return {
    ...bom,
    metadata: {
      ...(details.at !== null && { timestamp: new Date(details.at * 1_000).toISOString() }),
      ...metadata,
      // npm takes the name of the folder.
      component: { ...component, name: details.name },
    },
    components: bom.components.map(complete),
  };
}

function licenseOf({ name, version }: Component, { lock, licenseAt }: BomDetails, ids: ReadonlySet<string>): License {
  const places = Object.keys(lock.packages).filter((place) => {
    const entry = lock.packages[place];
    const isNamed = place.endsWith(`node_modules/${name}`) || place === name.replace('@runward/', 'packages/');
    return isNamed && entry?.version === version;
  });
  for (const place of places) {
    const found = lock.packages[place]?.license ?? licenseAt(place);
    if (found === null) continue;
    if (/ (?:AND|OR) /.test(found)) return { expression: found };
    return { license: ids.has(found) ? { id: found } : { name: found } };
  }
  throw new Error(`${name} ${version} has no license in package-lock.json or in its manifest.`);
}

function contentsOf(parent: Component, { lock, copied }: BomDetails): Component[] {
  const folder = parent.name.replace('@runward/', '');
  return (copied[folder] ?? []).map((name) => {
    const places = [`packages/${folder}/node_modules/${name}`, `node_modules/${name}`];
    const version = places.map((place) => lock.packages[place]?.version).find((each) => each !== undefined);
    if (version === undefined) throw new Error(`package-lock.json lacks ${name}, which @runward/${folder} contains.`);
    const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
    return { 'bom-ref': `${parent['bom-ref']}/${name}@${version}`, type: 'library', name, version, purl };
  });
}

function withoutPaths(component: Component): Component {
  const { externalReferences } = component;
  if (!externalReferences) return component;
  const named = externalReferences.map(({ type, url }) => ({
    type,
    url: url.startsWith('file:') ? basename(url) : url,
  }));
  return { ...component, externalReferences: named };
}

function idIn(license: License): string[] {
  return 'license' in license && 'id' in license.license ? [license.license.id] : [];
}
