/** Says which tables of a database a backup contains. */
import { UNFINISHED } from '../database/unfinishedRestore.ts';

/**
 * Tables that a backup leaves out: a copy must not let anyone in by a session or link that has ended since,
 * counters lose their meaning, the installation mark belongs to one data folder, and the index of the chains is
 * built again.
 */
const LEFT_OUT = [
	'sessions',
	'setup_links',
	'account_links',
	'sign_on_flows',
	'sign_on_logouts',
	'throttle',
	'factor_challenges',
	'schema_migrations',
	'installation',
	UNFINISHED
];
const OF_INDEX = /^ix_/;

/** Whether the rows of a table belong into a backup. */
export const isKept = (table: string): boolean =>
	!LEFT_OUT.includes(table) && !OF_INDEX.test(table);
