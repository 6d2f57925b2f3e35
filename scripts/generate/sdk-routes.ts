import { contract, routesOf } from '@runward/contract';
import { entries, type GeneratedFile } from './generated-file.ts';

/** The routes of the SDK. The SDK imports them instead of the contract, whose schemas are large. */
export const sdkRoutes: GeneratedFile = {
  path: 'packages/sdk/src/generated/routes.ts',
  code: `import type { Route } from '../route.ts';

/** The endpoints that a client can call, by method of the client. */
export const routes = {
${entries(routesOf({ ...contract }))}
} as const satisfies Readonly<Record<string, Route>>;
`,
};
