import test from 'ava';
import { openPostgresStore } from '../support/job-stores.ts';
import { schedulerSuite } from '../support/scheduler-suite.ts';

schedulerSuite(test, 'PostgreSQL', openPostgresStore);
