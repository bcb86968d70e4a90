/** What the servers over one database tell each other: that something was written, and how much of a budget is used. */
import { createListener } from './platform/database/writeNotices.ts';
import type { Life } from './platform/jobs/life.ts';
import { createSharedBudgets, openOwnBudget } from './platform/rate-limits/budgets.ts';
import type { Accounts } from './openAccounts.ts';
import type { Stores } from './openStores.ts';

/** Log message when notifications of other servers' writes do not arrive: the fallback and its limits. */
const NOT_NOTIFIED =
	'notifications of what other servers write do not arrive: the database is polled four times a second instead, the standby is not read, and each server counts requests and calls by itself. A pooler in transaction mode (PgBouncer: pool_mode = transaction) does not forward them';

export function openWrites(life: Life, { config, log, db }: Stores, { audit }: Accounts) {
	const writes =
		config.databaseUrl === null
			? undefined
			: createListener({
					url: config.databaseUrl,
					db,
					onChange(arrive) {
						if (arrive) log.info('notifications of what other servers write arrive');
						else log.warn(NOT_NOTIFIED);
					}
				});
	life.onEnd(() => writes?.stop());
	let copied = 0;
	// Each server with a data folder of its own has there what a restore needs, whichever server appended it.
	writes?.onWord(() => {
		if (writes.heardOfOwn !== copied) audit.keepOutsideSoon();
		copied = writes.heardOfOwn;
	});
	/** Change stamp of all but the index, for polls; null when changes may go unannounced. */
	const news = (): number | null =>
		writes === undefined ? db.changeStamp() : writes.isHearing ? writes.heardOfOwn : null;
	const sharedBudgets = writes && createSharedBudgets(writes.budgets);
	life.onEnd(() => sharedBudgets?.stop());
	const openBudget = sharedBudgets?.open ?? openOwnBudget;
	return { writes, news, openBudget };
}
