/** Which wallets somebody may use, as an admin chose: from a form to the rows of the database and back. */
import { touch } from '../../../platform/audit-trail/recorded.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { AccessTables } from '../../tables.ts';
import { EVERY_WALLET } from './tables.ts';

/** What an admin chose for a person. */
export interface WalletChoice {
	/** All of them, also those that are configured later. */
	every: boolean;
	/** Ids of daemons; empty when it is every one. */
	daemons: readonly string[];
}

/** The choice that such rows mean. */
export function choiceFrom(daemons: readonly string[]): WalletChoice {
	const every = daemons.includes(EVERY_WALLET);
	return { every, daemons: every ? [] : daemons.toSorted() };
}

/** The rows that stand for a choice: ids of daemons, or the one word for all. */
export const chosen = ({ every, daemons }: WalletChoice): string[] =>
	every ? [EVERY_WALLET] : [...new Set(daemons)];

/** Words for a choice, as rows of the audit log keep it. */
export const choiceWords = ({ every, daemons }: WalletChoice): string =>
	every ? 'every wallet' : daemons.length === 0 ? 'none' : daemons.join(', ');

/** A choice of now with what a form changes of what it showed: what somebody else has changed since stays so. */
export function withChanges(
	now: WalletChoice,
	shown: WalletChoice,
	asked: WalletChoice
): WalletChoice {
	const every = asked.every === shown.every ? now.every : asked.every;
	const kept = now.daemons.filter(
		(daemon) => asked.daemons.includes(daemon) || !shown.daemons.includes(daemon)
	);
	const added = asked.daemons.filter((daemon) => !shown.daemons.includes(daemon));
	return { every, daemons: every ? [] : [...new Set([...kept, ...added])] };
}

/** Gives an account these wallets and no others, in the transaction that puts it on record. */
export async function giveWallets(
	trx: Executor<AccessTables>,
	accountId: string,
	choice: WalletChoice
): Promise<void> {
	const before = await trx
		.deleteFrom('wallet_grants')
		.where('account_id', '=', accountId)
		.returning('daemon')
		.execute();
	for (const { daemon } of before) touch(trx, 'wallet_grants', [accountId, daemon]);
	for (const daemon of chosen(choice)) {
		await trx.insertInto('wallet_grants').values({ account_id: accountId, daemon }).execute();
		touch(trx, 'wallet_grants', [accountId, daemon]);
	}
}

/**
 * Reads the checkboxes of a form: `every`, and `daemon` once for each wallet.
 * @param known ids of the daemons that can be chosen
 * @returns the choice, and the first id that there is not, if any
 */
export function readChoice(
	form: FormData,
	known: readonly string[]
): { choice: WalletChoice; unknown: string | undefined } {
	const daemons = form.getAll('daemon').map(String);
	return {
		choice: { every: form.get('every') !== null, daemons },
		unknown: daemons.find((daemon) => !known.includes(daemon))
	};
}
