import { error } from '@sveltejs/kit';
import { reasons } from '#lib/messages/migration/reasons.ts';
import { STATE_NAMES, stateName } from '#lib/messages/migration/states.ts';
import { STATES, type MigrationState } from '#lib/server/cross-chain/migration/states.ts';
import { withLabels } from '#lib/server/wallet/address-book/withLabels.ts';
import { refuseRuledToken } from '../refuseRuledToken.ts';
import type { Actions, PageServerLoad } from './$types';
import type { Tone } from '#lib/text/badge.ts';

const PAGE = 25;

/** Former names of states, as old links contain them. */
const WORDS_OF_BEFORE: ReadonlyMap<string, MigrationState> = new Map([['abandoned', 'discarded']]);

/** Returns the color of a state's badge. */
function toneOf(state: MigrationState): Tone {
	if (state === 'final') return 'good';
	if (state === 'stuck' || state === 'preflight-failed') return 'bad';
	return state === 'discarded' || !STATES.includes(state) ? 'unknown' : 'wait';
}

/** Parses the cursor in the URL: `<time>-<id>`. */
function readCursor(text: string | null): { createdAt: bigint; id: string } | undefined {
	const match = /^(\d{1,15})-([0-9a-f]{1,40})$/.exec(text ?? '');
	return match ? { createdAt: BigInt(match[1]!), id: match[2]! } : undefined;
}

export const load: PageServerLoad = async ({ locals, url }) => {
	const wanted = url.searchParams.get('state') ?? '';
	const state = STATES.find((one) => one === (WORDS_OF_BEFORE.get(wanted) ?? wanted));
	const before = readCursor(url.searchParams.get('before'));
	const rows = await locals.app.migrations.list({
		limit: PAGE + 1,
		...(state === undefined ? {} : { state }),
		...(before === undefined ? {} : { before })
	});
	const shown = rows.slice(0, PAGE);
	const last = shown.at(-1);
	return withLabels(locals, {
		migrations: shown.map((row) => ({
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
		})),
		state: state ?? '',
		states: STATES.map((value) => ({ value, label: STATE_NAMES[value] })),
		/** Number of stopped migrations, over all pages of the list. */
		stopped: await locals.app.migrations.stopped(),
		next: rows.length > PAGE && last ? `${last.created_at}-${last.id}` : null,
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
