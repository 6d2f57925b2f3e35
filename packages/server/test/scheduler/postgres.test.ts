import test from 'ava';
import { openPostgresStore } from '../support/job-stores.ts';
import { jobSuite } from '../support/scheduler-suite.ts';

jobSuite(test, 'PostgreSQL', openPostgresStore);
