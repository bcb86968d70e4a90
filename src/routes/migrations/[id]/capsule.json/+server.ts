import { error } from '@sveltejs/kit';
import { writeCapsule } from '#lib/server/migration/capsule.ts';
import { BEFORE_BURN } from '#lib/server/migration/states.ts';
import type { RequestHandler } from './$types';

export const GET: RequestHandler = async ({ locals, params }) => {
	const view = await locals.app.migrations.get(params.id);
	if (!view) error(404, { message: 'There is no such migration.' });
	const { row } = view;
	const limited = await locals.app.rights.isLimited(locals.account?.name ?? '', row.source);
	if (limited && BEFORE_BURN.includes(row.state)) {
		const message =
			'A daily limit counts for you on this chain, so the bytes of a burn are handed out once it is sent.';
		error(403, { message });
	}
	return new Response(writeCapsule(view), {
		headers: {
			'content-type': 'application/json',
			'content-disposition': `attachment; filename="migration-${view.row.id}.json"`,
			'cache-control': 'no-store'
		}
	});
};
