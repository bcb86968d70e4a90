import { error } from '@sveltejs/kit';
import { standingOfMigration } from '#lib/server/cross-chain/migration/bytes.ts';
import { writeRecoveryFile } from '#lib/server/cross-chain/migration/recoveryFile.ts';
import { mayReadBytes } from '#lib/server/wallet/transactions/bytes.ts';
import type { RequestHandler } from './$types';

export const GET: RequestHandler = async ({ locals, params }) => {
	const view = await locals.app.migrations.get(params.id);
	if (!view) error(404, { message: 'There is no such migration.' });
	const { row } = view;
	const mayRead = await mayReadBytes(locals.app.rights, locals, {
		standing: standingOfMigration(view),
		chain: row.source,
		daemon: row.source_daemon,
		access: 'broadcast'
	});
	if (!mayRead) {
		const message =
			'The file holds signed bytes, which are for those who may send the burn, once it was confirmed. Nothing was handed out.';
		error(403, { message });
	}
	return new Response(writeRecoveryFile(view), {
		headers: {
			'content-type': 'application/json',
			'content-disposition': `attachment; filename="migration-${view.row.id}.json"`,
			'cache-control': 'no-store'
		}
	});
};
