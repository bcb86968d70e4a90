import type { Executor } from '../../platform/database/database.ts';
import type { AccessTables } from '../tables.ts';

/** A valid proof of a factor, which still has to be marked as used. */
export interface Shown {
	/**
	 * Marks it as used, in the transaction of what it opens.
	 * @throws {AppError} `factor.wrong-code` or `factor.wrong-passkey` when it was used meanwhile
	 */
	use(trx: Executor<AccessTables>): Promise<void>;
}
