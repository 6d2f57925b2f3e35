import test from 'ava';
import { isConnectionLoss, isStatementError, isUnavailable } from '../../src/database/errors.ts';

const protocolViolation = (severity: string) =>
  Object.assign(new Error('server conn crashed?'), { severity, code: '08P01' });

test('a fatal protocol_violation, with which PgBouncer reports that it lost PostgreSQL, is a lost connection', (t) => {
  const error = protocolViolation('FATAL');
  t.true(isConnectionLoss(error) && isUnavailable(error));
  t.false(isStatementError(error));
});

test('a protocol_violation of PostgreSQL itself is the error of a statement', (t) => {
  const error = protocolViolation('ERROR');
  t.false(isConnectionLoss(error) || isUnavailable(error));
  t.true(isStatementError(error));
});
