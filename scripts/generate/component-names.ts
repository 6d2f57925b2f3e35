import type { GeneratedFile } from './generated-file.ts';
import { knownComponents } from './known-components.ts';
import { components } from './sdk/document.ts';

const names = [...new Set([...knownComponents, ...Object.keys(components)])].toSorted();

/**
 * The names of all current and former components of the OpenAPI document. Known names stay, so that a test fails if one
 * is renamed or removed.
 */
export const componentNames: GeneratedFile = {
  path: 'scripts/generate/known-components.ts',
  code:
    '/** The names of all components: types of generated clients. One may be added, but not renamed or removed. */\n' +
    `export const knownComponents: readonly string[] = ${JSON.stringify(names)};\n`,
};
