import { error } from '@sveltejs/kit';
import { writeCapsule } from '#lib/server/migration/capsule.ts';
import type { RequestHandler } from './$types';

export const GET: RequestHandler = async ({ locals, params }) => {
	const view = await locals.app.migrations.get(params.id);
	if (!view) error(404, { message: 'There is no such migration.' });
	return new Response(writeCapsule(view), {
		headers: {
			'content-type': 'application/json',
			'content-disposition': `attachment; filename="migration-${view.row.id}.json"`,
			'cache-control': 'no-store'
		}
	});
};
