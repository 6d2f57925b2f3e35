import { cliFields } from './cli-fields.ts';
import { cliNouns, cliOperations } from './cli-operations.ts';
import { cliValues } from './cli-values.ts';
import { componentNames } from './component-names.ts';
import type { GeneratedFile } from './generated-file.ts';
import { pythonEndpoints } from './python/endpoints.ts';
import { pythonModels } from './python/models.ts';
import { pythonRoutes } from './python/routes.ts';
import { sdkErrorCodes } from './sdk-error-codes.ts';
import { sdkRoutes } from './sdk-routes.ts';
import { sdkTypes } from './sdk-types.ts';
import { sdkSynonyms } from './sdk/synonyms.ts';
import { testingEndpoints } from './testing-endpoints.ts';

/** All files that `npm run generate` writes. */
export const generatedFiles: readonly GeneratedFile[] = [
  sdkRoutes,
  sdkSynonyms,
  sdkErrorCodes,
  ...sdkTypes,
  cliFields,
  cliValues,
  cliNouns,
  ...cliOperations,
  componentNames,
  pythonRoutes,
  pythonModels,
  ...pythonEndpoints,
  testingEndpoints,
];
