import test from 'ava';
import { jobOutageSuite } from './support/job-outage-suite.ts';
import { openPostgresStore } from './support/job-stores.ts';

jobOutageSuite(test, 'PostgreSQL', openPostgresStore);
