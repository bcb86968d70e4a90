import { error } from '@sveltejs/kit';
import { reasons } from '#lib/messages/migration/reasons.ts';
import { STATE_NAMES, stateName } from '#lib/messages/migration/states.ts';
import { listPage } from '#lib/server/chains/explorer/listPage.ts';
import { migrationList } from '#lib/server/cross-chain/migration/list.ts';
import { STATES, type MigrationState } from '#lib/server/cross-chain/migration/states.ts';
import { withLabels } from '#lib/server/wallet/address-book/withLabels.ts';
import { refuseRuledToken } from '../refuseRuledToken.ts';
import type { Actions, PageServerLoad } from './$types';
import type { Tone } from '#lib/text/badge.ts';

const ROWS = 25;

/** Former names of states, as old links contain them. */
const WORDS_OF_BEFORE: ReadonlyMap<string, MigrationState> = new Map([['abandoned', 'discarded']]);

/** Returns the color of a state's badge. */
function toneOf(state: MigrationState): Tone {
	if (state === 'final') return 'good';
	if (state === 'stuck' || state === 'preflight-failed') return 'bad';
	return state === 'discarded' || !STATES.includes(state) ? 'unknown' : 'wait';
}

/** Returns the parameters of the list, with the current names of states. */
function currentNames(given: URLSearchParams): URLSearchParams {
	const state = WORDS_OF_BEFORE.get(given.get('state') ?? '');
	if (state === undefined) return given;
	const current = new URLSearchParams(given);
	current.set('state', state);
	return current;
}

export const load: PageServerLoad = async ({ locals, url }) => {
	const { db, gateway, migrations } = locals.app;
	const parameters = currentNames(url.searchParams);
	const list = await listPage(db, migrationList, parameters, { limit: ROWS });
	return withLabels(locals, {
		list: {
			...list,
			file: '/migrations/migrations',
			rows: list.rows.map((row) => ({
				id: row.id,
				source: row.source,
				destination: row.destination,
				amount: row.amount,
				/** Name of the token; null for coins. */
				token: row.tokenid === null ? null : (row.token_name ?? ''),
				words: stateName(row.state),
				tone: toneOf(row.state),
				/** Why the migration waits or has stopped. */
				reason: row.reason && { code: row.reason.code, message: reasons.text(row.reason) },
				createdAt: Number(row.created_at),
				by: row.created_by
			}))
		},
		choices: {
			chains: gateway.chains().map((chain) => [chain, chain] as const),
			states: STATES.map((state) => [state, STATE_NAMES[state]] as const)
		},
		/** Number of stopped migrations, over all pages of the list. */
		stopped: await migrations.stopped(),
		now: Date.now()
	});
};

export const actions: Actions = {
	retryAll: async ({ locals }) => {
		// The route table admits members only.
		if (locals.account === null) error(403);
		await refuseRuledToken(locals);
		const { retried, refused } = await locals.app.migrations.retryAll(locals.account.name);
		const [first] = refused;
		return { retried, refused: refused.length, why: first?.why ?? null };
	}
};
