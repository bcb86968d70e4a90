import type { Executor } from '../../platform/database/database.ts';
import type { AccessTables } from '../tables.ts';

/** What was just shown to be somebody's: the mark that it was used is still to be made. */
export interface Shown {
	/**
	 * Marks it within the transaction of what it opens.
	 * @throws {AppError} `factor.wrong-code` or `factor.wrong-passkey` when it was used meanwhile
	 */
	use(trx: Executor<AccessTables>): Promise<void>;
}
