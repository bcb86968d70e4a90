import { labelled } from '#lib/server/book/labelled.ts';
import { Ask } from '#lib/server/explorer/ask.ts';
import { chainGlance } from '#lib/server/explorer/overview.ts';
import { stateWord } from '#lib/server/explorer/rail.ts';
import type { PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals }) => {
	const ask = new Ask(locals.app.gateway, locals.requestId);
	const rows = await Promise.all(
		locals.app.gateway.chains().map(async (name) => {
			const glance = await chainGlance(ask, name);
			const health = ask.daemon(name)?.health;
			return {
				name,
				glance,
				mark: stateWord(health?.state ?? 'unknown'),
				lastGoodAt: health?.lastGoodAt ?? null
			};
		})
	);
	return labelled(locals, { rows, now: ask.now });
};
