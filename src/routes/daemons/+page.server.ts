import { stateWord } from '#lib/server/chains/explorer/sidebar.ts';
import { visibleText } from '#lib/text/visibleText.ts';
import type { PageServerLoad } from './$types';

export const load: PageServerLoad = ({ locals: { app } }) => ({
	daemons: app.gateway
		.daemons()
		.map(({ id, chain, purposes, dialect, version, release, health }) => ({
			id,
			chain,
			purposes: purposes.join(', '),
			dialect,
			version: release === null ? version : visibleText(release),
			state: stateWord(health.state),
			lastGoodAt: health.lastGoodAt
		})),
	now: Date.now()
});
