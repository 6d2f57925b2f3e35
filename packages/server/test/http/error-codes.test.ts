import { errorCodes, type Endpoint, type ErrorCode } from '@runward/contract';
import test from 'ava';
import { badRequest } from '../../src/api-error.ts';
import { withCheckedErrors } from '../../src/http/check-response.ts';
import { codesOf } from '../../src/http/codes-of.ts';
import { allEndpoints } from '../support/sweep/endpoints.ts';
import { document } from './openapi/nodes.ts';

const complete: Endpoint = {
  method: 'POST',
  path: '/runs/:id/complete',
  access: 'runs:write',
  summary: 'Complete a run',
  errors: ['run_terminal'],
};

/** Codes of requests that reach no endpoint, and of pages. */
const elsewhere: readonly ErrorCode[] = ['endpoint_not_found', 'method_not_allowed', 'sign_in_rejected'];

test('an error whose code the contract does not name for the endpoint is a defect', async (t) => {
  const mismatches: string[] = [];
  const reject = async (code: 'run_terminal' | 'run_active') => {
    throw badRequest(code, 'No.');
  };
  const run = withCheckedErrors(complete, reject, ({ message }) => void mismatches.push(message));
  for (const code of ['run_terminal', 'run_active'] as const)
    await t.throwsAsync(run(code), { name: 'ApiError', message: 'Bad Request: No.' });
  t.deepEqual(mismatches, ['The errors of POST /runs/:id/complete in the contract lack run_active.']);
});

test('every code can be returned by an endpoint, by a page, or to a request that reaches none', (t) => {
  const known = new Set([...elsewhere, ...allEndpoints.flatMap(({ endpoint }) => [...codesOf(endpoint)])]);
  t.deepEqual(
    Object.keys(errorCodes).filter((code) => !known.has(code as ErrorCode)),
    [],
  );
});

test('no endpoint names a code that the rest of its entry implies', (t) => {
  for (const { name, endpoint } of allEndpoints) {
    const { errors = [], ...entry } = endpoint;
    t.deepEqual(
      errors.filter((code) => codesOf(entry).has(code)),
      [],
      name,
    );
    t.is(new Set(errors).size, errors.length, name);
  }
});

test('the document names the codes of each operation under their status', (t) => {
  const paths = document['paths'] as Record<
    string,
    Record<string, { responses: Record<string, { description: string }> }>
  >;
  for (const { name, endpoint } of allEndpoints) {
    const { responses } = paths[endpoint.path.replaceAll(/:(\w+)/g, '{$1}')]?.[endpoint.method.toLowerCase()] ?? {};
    for (const code of codesOf(endpoint)) {
      t.true(responses?.[errorCodes[code].status]?.description.includes(`\`${code}\``), `${name} ${code}`);
    }
  }
});
