/** Which wallets a member may use, as an admin chose: from a form to database rows and back. */
import { touch } from '../../../platform/audit-trail/recorded.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { AccessTables } from '../../tables.ts';
import { EVERY_WALLET } from './tables.ts';

/** Wallets that an admin granted to a member. */
export interface WalletChoice {
	/** All wallets, including those that are configured later. */
	every: boolean;
	/** Ids of daemons; empty when `every` is set. */
	daemons: readonly string[];
}

/** Converts stored rows to a choice. */
export function choiceFrom(daemons: readonly string[]): WalletChoice {
	const every = daemons.includes(EVERY_WALLET);
	return { every, daemons: every ? [] : daemons.toSorted() };
}

/** Row values of a choice: ids of daemons, or {@link EVERY_WALLET} for all. */
export const chosen = ({ every, daemons }: WalletChoice): string[] =>
	every ? [EVERY_WALLET] : [...new Set(daemons)];

/**
 * Applies the changes that a form makes to what it showed (`shown` to `asked`) to the current choice, and
 * keeps what another admin has changed since.
 */
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

/** Replaces the wallet grants of an account, inside the database transaction that also logs the change. */
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
 * Parses the checkboxes of a form: `every`, and `daemon` once for each wallet.
 * @param known ids of the daemons that can be chosen
 * @returns the choice, and the first id that is not a known daemon, if any
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
