import { refuseFormerAdmin } from '../../../access/identity/formerAdmin.ts';
import type { Account } from '../../../access/identity/identity.ts';
import { AppError } from '../../../platform/errors/appError.ts';
import { storeDecimals } from '../tokenDisplay.ts';
import type { SendingDependencies } from './dependencies.ts';

const MAX_DECIMALS = 18;

/**
 * Sets the decimals that a token is shown with.
 * @throws {AppError} `transaction.decimals-invalid`
 * @throws {AppError} `account.not-admin` when the admin was disabled or demoted meanwhile
 */
export async function setDecimals(
	{ db, audit }: SendingDependencies,
	chain: string,
	tokenid: string,
	decimals: number,
	by: Account
): Promise<void> {
	if (!Number.isInteger(decimals) || decimals < 0 || decimals > MAX_DECIMALS) {
		throw new AppError('transaction.decimals-invalid', { most: MAX_DECIMALS });
	}
	await db.transaction().execute(async (trx) => {
		await audit.append(
			{ actor: by.name, action: 'token.decimals', target: tokenid, detail: { chain, decimals } },
			trx
		);
		// After the log is locked, as when a new token is sent: otherwise the two could deadlock.
		await storeDecimals(trx, chain, tokenid, decimals);
		await refuseFormerAdmin(trx, by);
	});
}
