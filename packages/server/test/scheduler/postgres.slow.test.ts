import test from 'ava';
import { openPostgresStore } from '../support/scheduler/job-stores.ts';
import { schedulerSuite } from '../support/scheduler/suite.ts';

schedulerSuite(test, 'PostgreSQL', openPostgresStore);
