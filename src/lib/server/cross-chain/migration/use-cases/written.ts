import { randomBytes } from 'node:crypto';
import { formatCoins } from '#lib/chain/amount.ts';

/** What a record of an act says of an amount. */
export const amountText = ({
	amount,
	tokenid
}: {
	amount: bigint;
	tokenid: string | null;
}): string => (tokenid === null ? formatCoins(amount) : `${amount} units`);

/** Names a migration. */
export const newMigrationId = (): string => randomBytes(10).toString('hex');
