import type { Caches } from '../../caches.ts';
import type { RenderedPortal } from './render-portal.ts';

/** How long a page of a portal shows the same data, in seconds. */
export const viewSeconds = 5;

/** The rendered pages, each for a few seconds. `clock` is for tests. */
export function viewCache(caches: Caches, clock: { now(): number } = performance) {
  const sizeOf = ({ main, header }: RenderedPortal) => 2 * (main.length + header.length);
  return caches.create<RenderedPortal>('portalPages', { sizeOf, lifetimeMs: viewSeconds * 1_000, clock });
}
