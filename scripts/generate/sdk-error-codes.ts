import { errorCodes } from '@runward/contract';
import type { GeneratedFile } from './generated-file.ts';

/** The type of the codes of errors. */
export const sdkErrorCodes: GeneratedFile = {
  path: 'packages/sdk/src/generated/error-codes.ts',
  code: `/** The codes of errors. The guide about errors describes each. */
export type ErrorCode =
${Object.keys(errorCodes)
  .map((code) => `  | '${code}'`)
  .join('\n')};
`,
};
