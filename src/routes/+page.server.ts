import { Ask } from '#lib/server/chains/explorer/ask.ts';
import { indexedGlance } from '#lib/server/chains/explorer/indexedGlance.ts';
import { chainGlance } from '#lib/server/chains/explorer/overview.ts';
import { stateWord } from '#lib/server/chains/explorer/sidebar.ts';
import { withLabels } from '#lib/server/wallet/address-book/withLabels.ts';
import type { PageServerLoad } from './$types';

/** More open work than this is looked through on the page of the account. */
const MOST_WORK = 6;

export const load: PageServerLoad = async ({ locals }) => {
	const { account } = locals;
	const work = account === null ? [] : await locals.app.auth.people.openWork(account.name);
	const ask = new Ask(locals.app.gateway, locals.requestId);
	const rows = await Promise.all(
		locals.app.gateway.chains().map(async (name) => {
			const glance = await chainGlance(ask, name, account === null, () =>
				indexedGlance(locals.app.index, name)
			);
			const health = ask.daemon(name)?.health;
			return {
				name,
				glance,
				mark: stateWord(health?.state ?? 'unknown'),
				lastGoodAt: health?.lastGoodAt ?? null
			};
		})
	);
	return withLabels(locals, {
		visitor: account === null,
		rows,
		/** What this person has begun or taken over and not finished, the newest first. */
		work: work.toReversed().slice(0, MOST_WORK),
		moreWork: Math.max(0, work.length - MOST_WORK),
		/** Migrations that stopped and need a person; their page is for members. */
		stopped: account === null ? 0 : await locals.app.migrations.stopped(),
		now: ask.now
	});
};
