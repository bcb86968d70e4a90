import { randomBytes } from 'node:crypto';
import { formatCoins } from '#lib/chain/amount.ts';

/** Returns an amount as text for the audit log. */
export const amountText = ({
	amount,
	tokenid
}: {
	amount: bigint;
	tokenid: string | null;
}): string => (tokenid === null ? formatCoins(amount) : `${amount} units`);

/** Returns a new random id for a migration. */
export const newMigrationId = (): string => randomBytes(10).toString('hex');
