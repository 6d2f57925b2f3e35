import { contract, errorCodes, isMultipart, type Endpoint } from '@runward/contract';
import { entries, type GeneratedFile } from './generated-file.ts';

const endpoints = Object.entries({ ...contract }).flatMap(([group, members]) =>
  Object.entries<Endpoint>(members).map(([name, endpoint]) => [`${group}.${name}`, requestOf(endpoint)] as const),
);
const statuses = Object.entries(errorCodes).map(([code, { status }]) => [code, status] as const);

/** What the client of the tests needs. Most test files would load the contract for nothing else. */
export const testingEndpoints: GeneratedFile = {
  path: 'packages/testing/src/generated/endpoints.ts',
  code: `import type { ErrorCode, Method, Operation } from '@runward/contract';

/** How to send a request to an endpoint. */
export interface SentRequest {
  readonly method: Method;
  readonly path: string;
  /** Whether the body is a multipart form. */
  readonly isMultipart?: true;
}

/** All endpoints, also those that need a session. */
export const endpoints: Readonly<Record<Operation, SentRequest>> = {
${entries(Object.fromEntries(endpoints))}
};

/** The status of errors, by code. */
export const errorStatuses: Readonly<Record<ErrorCode, number>> = {
${entries(Object.fromEntries(statuses))}
};
`,
};

function requestOf({ method, path, body }: Endpoint): object {
  return { method, path, ...(isMultipart(body) && { isMultipart: true }) };
}
